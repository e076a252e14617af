package app

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
)

// docsCommand writes docs/reference; a test compares what it gives with the
// files in the repository.
func (a *App) docsCommand(g *globals) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:    "docs",
		Short:  "Write the reference pages",
		Hidden: true,
		Args:   exactArgs(0, "none"),
		RunE: func(*cobra.Command, []string) error {
			pages, err := a.referencePages(g)
			if err != nil {
				return exitWith(ExitUsage, err)
			}
			readme, err := a.readmeWithNodes(g)
			if err != nil {
				return exitWith(ExitRun, err)
			}
			if err := os.WriteFile(filepath.Join(g.process.Dir, "README.md"), readme, 0o666); err != nil {
				return exitWith(ExitRun, err)
			}
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				path := filepath.Join(g.path(out), filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					return exitWith(ExitRun, err)
				}
				if err := os.WriteFile(path, pages[name], 0o666); err != nil {
					return exitWith(ExitRun, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "docs/reference", "folder to write to")
	return cmd
}

// generatedNote heads every generated page.
const generatedNote = "<!-- Generated from the declarations in the code by `make generate`; do not edit. -->\n\n"

// referencePages makes every page of docs/reference, by its name below that
// folder.
func (a *App) referencePages(g *globals) (map[string][]byte, error) {
	s, err := a.build(g, grants{})
	if err != nil {
		return nil, err
	}
	defer s.close()
	pages := map[string][]byte{
		"settings.md": []byte(generatedNote + settingsPage(s.vendors)),
	}
	pages["cli.md"] = []byte(generatedNote + a.cliPage(g))
	for _, n := range s.registry.List() {
		pages["nodes/"+n.Spec.Name+".md"] = []byte(generatedNote + nodes.ReferencePage(&n.Spec))
	}
	pages["nodes/README.md"] = []byte(generatedNote + nodes.ReferenceIndex(s.registry.List()))
	return pages, nil
}

// settingsPage documents every variable, those of the command and those that
// the vendors declare.
func settingsPage(list []providers.Vendor) string {
	var b strings.Builder
	b.WriteString("# Settings\n\n" +
		"A setting is taken from the first of these that has it: the parameter of a node in the flow, a flag, the process\n" +
		"environment, the dotenv file (`./.env`, or the one that `--dotenv` names), the default. A dotenv file never overwrites\n" +
		"a variable that is set, and may not do everything: see the last column.\n\n" +
		"## Of the command\n\n" +
		"| variable | meaning | unit | default | allowed | flag | in a dotenv file |\n|---|---|---|---|---|---|---|\n")
	for _, s := range settingsTable() {
		def, allowed := s.DefaultText, "true, false"
		if s.Kind == limit || s.Kind == choice {
			allowed = s.rangeText()
			if def == "" {
				def = fmt.Sprint(s.Default)
			}
		} else if s.Kind != loosen && s.Kind != tighten {
			allowed = "text"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", s.Name, s.Help, s.Unit, def, allowed, code(s.Flag), s.dotenvText())
	}
	b.WriteString("\n## Of the providers\n\nParameters of the embedding nodes with the same meaning win over these.\n\n" +
		"| variable | provider | parameter | kind | meaning |\n|---|---|---|---|---|\n")
	for _, v := range list {
		for _, s := range v.Settings {
			if s.Env == "" {
				continue
			}
			help := s.Help
			if s.Default != "" {
				help += "; default `" + s.Default + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s |\n", s.Env, v.Name, s.Name, s.Kind, help)
		}
	}
	return b.String()
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func (s setting) dotenvText() string {
	switch s.Kind {
	case limit:
		return "may lower it"
	case tighten:
		return "may switch it on"
	case grant, loosen, proxy:
		return "ignored with a warning"
	}
	return "may set it"
}

// exitCodesTable documents the exit codes.
const exitCodesTable = `## Exit codes

| code | meaning |
|---|---|
| 0 | success |
| 1 | the run failed, or IRONFLOW_MAX_RUN_SECONDS ran out, or a result could not be given |
| 2 | wrong usage or configuration, missing credentials, or a file that cannot be read |
| 3 | the flow is invalid, load errors included |
| 130 | ended by SIGINT; a second signal ends the process at once |
| 143 | ended by SIGTERM |

Results go to standard output, logs and errors to standard error.
`

// cliPage documents every command with its flags.
func (a *App) cliPage(g *globals) string {
	var b strings.Builder
	b.WriteString("# The command line\n\n" + exitCodesTable)
	root := a.rootCommand(g.process)
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		writeCommand(&b, c)
		for _, sub := range c.Commands() {
			writeCommand(&b, sub)
		}
	}
	return b.String()
}

// writeCommand documents one command from its declaration.
func writeCommand(b *strings.Builder, c *cobra.Command) {
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n```\n%s\n```\n", c.CommandPath(), text, c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n\n```\n%s\n```\n", c.Example)
	}
	fmt.Fprintf(b, "\nFlags:\n\n```\n%s```\n", c.NonInheritedFlags().FlagUsages())
	if inherited := c.InheritedFlags(); inherited.HasAvailableFlags() {
		fmt.Fprintf(b, "\nFlags of every command:\n\n```\n%s```\n", inherited.FlagUsages())
	}
}

// The marks in README.md between which the table of nodes is generated.
const (
	nodesStart = "<!-- nodes:start (written by `make generate`) -->\n"
	nodesEnd   = "<!-- nodes:end -->"
)

// readmeWithNodes returns README.md with a fresh table of nodes.
func (a *App) readmeWithNodes(g *globals) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(g.process.Dir, "README.md"))
	if err != nil {
		return nil, err
	}
	before, rest, ok := strings.Cut(string(text), nodesStart)
	_, after, ok2 := strings.Cut(rest, nodesEnd)
	if !ok || !ok2 {
		return nil, fmt.Errorf("README.md has lost the marks around the table of nodes")
	}
	s, err := a.build(g, grants{})
	if err != nil {
		return nil, err
	}
	defer s.close()
	table := nodes.NodeTable(s.registry.List(), "docs/reference/nodes/")
	return []byte(before + nodesStart + table + nodesEnd + after), nil
}
