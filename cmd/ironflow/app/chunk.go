package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
	"github.com/ironflow/ironflow/nodes/value"
)

// The nodes behind `ironflow chunk`, and the parameters that the command sets
// itself.
const (
	chunkNode    = "ai_chunk"
	semanticNode = "ai_chunk_semantic"
)

func ownParam(name string) bool {
	return name == "source_key" || name == "output_key" || name == "mode" || name == "explain" || name == "spans_key"
}

// chunkFlags are the flags of `ironflow chunk`; those of the nodes are made
// from their Specs.
type chunkFlags struct {
	mode         string
	json, jsonl  bool
	stats        bool
	explain      bool
	svg, html    string
	params       map[string]*string // by flag name, for every parameter
	parameterFor map[string]string  // flag name -> parameter
}

func (a *App) chunkCommand(g *globals) *cobra.Command {
	f := &chunkFlags{params: map[string]*string{}, parameterFor: map[string]string{}}
	cmd := &cobra.Command{
		Use:   "chunk FILE|-",
		Short: "Chunk a file without a flow, for a quick look",
		Long: `Chunks a file, or standard input, and shows the chunks with their borders. The
parameters are those of the nodes ai_chunk and ai_chunk_semantic, with the same
names, defaults and checks.`,
		Example: `  ironflow chunk report.md --mode fixed --size 800
  cat report.md | ironflow chunk - --jsonl > chunks.jsonl
  ironflow chunk report.md --mode semantic --provider ollama --explain`,
		Args: exactArgs(1, "one file, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.chunk(cmd, g, f, args[0]) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the chunks as one JSON array")
	flags.BoolVar(&f.jsonl, "jsonl", false, "print one JSON object for each chunk")
	flags.BoolVar(&f.stats, "stats", false, "print counts and sizes instead of the chunks")
	flags.BoolVar(&f.explain, "explain", false, "draw the curve with its kept and dropped peaks (mode semantic)")
	flags.StringVar(&f.svg, "svg", "", "write the curve to this `FILE` as a picture (mode semantic)")
	flags.StringVar(&f.html, "html", "", "write one page with the coloured chunks to this `FILE`")
	cmd.MarkFlagsMutuallyExclusive("json", "jsonl", "stats")
	a.addParamFlags(cmd, f)
	return cmd
}

// addParamFlags makes a flag for each parameter of the two nodes.
func (a *App) addParamFlags(cmd *cobra.Command, f *chunkFlags) {
	reg, err := a.offlineRegistry()
	if err != nil {
		return // opening the session reports it
	}
	modes := []string{}
	for _, name := range []string{chunkNode, semanticNode} {
		n, ok := reg.Lookup(name)
		if !ok {
			continue
		}
		for _, p := range n.Spec.Params {
			if p.Name == "mode" {
				modes = append(modes, p.Enum...)
			}
			flag := strings.ReplaceAll(p.Name, "_", "-")
			if ownParam(p.Name) || p.Secret || p.Type == nodes.Object || f.params[flag] != nil {
				continue
			}
			f.params[flag] = new(string)
			f.parameterFor[flag] = p.Name
			cmd.Flags().StringVar(f.params[flag], flag, "", flagHelp(p))
			if p.Type == nodes.Boolean {
				cmd.Flags().Lookup(flag).NoOptDefVal = "true"
			}
		}
	}
	modes = without(append(modes, "semantic"), "cues")
	cmd.Flags().StringVar(&f.mode, "mode", "fixed", "how to cut: "+strings.Join(modes, ", "))
}

func without(list []string, drop string) []string {
	var out []string
	for _, s := range list {
		if s != drop {
			out = append(out, s)
		}
	}
	return out
}

// flagHelp is the help of a parameter with the group it belongs to.
func flagHelp(p nodes.Param) string {
	help := p.Help
	if p.When != nil {
		help += " (" + p.When.Param + " " + strings.Join(p.When.In, ", ") + ")"
	}
	// pflag takes the first back-quoted word for the name of the value.
	return strings.ReplaceAll(help, "`", "")
}

func (a *App) chunk(cmd *cobra.Command, g *globals, f *chunkFlags, file string) error {
	s, err := a.open(g, grants{})
	if err != nil {
		return err
	}
	defer s.close()
	node, raw, err := f.call(cmd, s.registry)
	if err != nil {
		return err
	}
	text, err := s.readDocument(file)
	if err != nil {
		return usageError("%w", err)
	}
	started := time.Now()
	out, err := s.invoke(cmd.Context(), node, raw, text)
	if err != nil {
		var param *nodes.ParamError
		if errors.As(err, &param) {
			return exitWith(ExitUsage, err)
		}
		return exitWith(ExitRun, err)
	}
	set, err := newChunkSet(file, text, out, time.Since(started))
	if err != nil {
		return exitWith(ExitRun, err)
	}
	if set.limit, set.counter, err = sizeLimit(&node.Spec, raw); err != nil {
		return exitWith(ExitRun, err)
	}
	return set.write(cmd, g, f)
}

// call picks the node for the mode and turns the given flags into parameters.
func (f *chunkFlags) call(cmd *cobra.Command, reg *nodes.Registry) (*nodes.Node, map[string]any, error) {
	name, raw := chunkNode, map[string]any{"source_key": "document", "output_key": "chunks"}
	if f.mode == "semantic" {
		name = semanticNode
		raw["text"] = "source"
		raw["explain"] = true
	} else {
		raw["mode"] = f.mode
		if f.explain || f.svg != "" {
			return nil, nil, usageError("--explain and --svg draw a curve, which only --mode semantic has")
		}
	}
	if f.mode == "cues" {
		return nil, nil, usageError("--mode cues chunks subtitles, not text; use the node ai_chunk in a flow")
	}
	node, ok := reg.Lookup(name)
	if !ok {
		return nil, nil, usageError("there is no node %s here", name)
	}
	for flag, v := range f.params {
		if !cmd.Flags().Changed(flag) {
			continue
		}
		param := f.parameterFor[flag]
		raw[param] = *v
		for _, p := range node.Spec.Params {
			if p.Name == param && p.Type == nodes.Array {
				raw[param] = splitList(*v)
			}
		}
	}
	var wrong []string
	for _, p := range nodes.Check(&node.Spec, raw) {
		if p.Severity == nodes.Error {
			wrong = append(wrong, p.Param+": "+p.Message)
		}
	}
	if len(wrong) > 0 {
		return nil, nil, usageError("%s", strings.Join(wrong, "\n"))
	}
	return node, raw, nil
}

// splitList reads a list of texts; \n, \t and \\ stand for themselves.
func splitList(text string) []any {
	var out []any
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for _, part := range strings.Split(text, ",") {
		out = append(out, unescape.Replace(part))
	}
	return out
}

// readDocument reads the file or standard input as text, within the limit of
// read_file.
func (s *session) readDocument(file string) (string, error) {
	var data []byte
	var err error
	name := file
	if file == "-" {
		name = "standard input"
		data, err = readAtMost(s.globals.process.Stdin, s.maxFile)
	} else {
		data, err = readRegular(s.globals.path(file), s.maxFile)
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	text, err := fileText(data)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	return text, nil
}

// invoke runs a node on the document, a text or a list of texts, outside of a flow.
func (s *session) invoke(ctx context.Context, node *nodes.Node, raw map[string]any, document any) (map[string]any, error) {
	if provider, _ := raw["provider"].(string); provider != "" {
		if err := s.env.Providers.Check(provider, s.settingsOf(provider, raw)); err != nil {
			return nil, &nodes.ParamError{Node: node.Spec.Name, Param: "provider", Err: err}
		}
	}
	env := *s.env
	env.FlowDir = s.globals.process.Dir
	return nodes.Invoke(ctx, node, raw, nodes.Host{
		Env: &env, View: value.Map{"document": document}, Step: "chunk", Attempt: 1,
	})
}

// sizeLimit finds the hard limit that the parameters set (0 = none) and what it
// counts.
func sizeLimit(spec *nodes.Spec, raw map[string]any) (int, unit.Counter, error) {
	call, err := nodes.NewCall(spec, raw, nodes.Host{Env: &nodes.Env{}, View: value.Map{}})
	if err != nil {
		return 0, nil, err
	}
	limit, name, tokenizer := 0, "bytes", ""
	for _, p := range spec.Params {
		if !call.Has(p.Name) {
			continue
		}
		switch p.Name {
		case "size", "max_size":
			limit = call.Int(p.Name)
		case "unit":
			name = call.String("unit")
		case "tokenizer":
			tokenizer = call.String("tokenizer")
		}
	}
	counter, err := unit.New(name, tokenizer)
	return limit, counter, err
}

// coloured reports whether w is a terminal that may be coloured.
func (g *globals) coloured(w io.Writer) bool {
	for _, kv := range g.process.Environ {
		if name, v, _ := strings.Cut(kv, "="); name == "NO_COLOR" && v != "" || name == "TERM" && v == "dumb" {
			return false
		}
	}
	return isTerminal(w)
}
