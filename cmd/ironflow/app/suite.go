package app

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/rules"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/suite"
)

// agenticNode is the node that `ironflow suite agentic` runs with a live model.
const agenticNode = "ai_chunk_agentic"

// suiteCommand groups the suites that the binary carries.
func (a *App) suiteCommand(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suite",
		Short: "Run the cases that the binary carries",
		Long:  `Runs cases that are part of the binary, against scripted answers or a live model.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("unknown command %q of %s%s; `%s --help` lists them", args[0], cmd.CommandPath(), didYouMeanCommand(cmd, args[0]), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.suiteAgenticCommand(g))
	return cmd
}

// suiteFlags are the flags of `ironflow suite agentic`; those of the node are
// made from its Spec.
type suiteFlags struct {
	json         bool
	cases        []string
	params       map[string]*string // by flag name
	parameterFor map[string]string  // flag name -> parameter
}

func (a *App) suiteAgenticCommand(g *globals) *cobra.Command {
	f := &suiteFlags{params: map[string]*string{}, parameterFor: map[string]string{}}
	cmd := &cobra.Command{
		Use:   "agentic",
		Short: "Agentic chunking: 32 cases, five rules",
		Long: `Runs TC-001 to TC-032 of agentic chunking and prints one line for each: the five
rules, then how many propositions, chunks, tokens and calls there were. Without
--provider the answers are scripted, good ones and bad ones, and nothing is sent
anywhere. With it, a live model is asked through the node ai_chunk_agentic, whose
parameters are flags here.

The rules are asserted, whatever a model answers; the exit code is 1 when one is
broken. Counts are the model's judgement: they are shown, never asserted.`,
		Example: `  ironflow suite agentic
  ironflow suite agentic --case TC-031 --case TC-032 --json
  ironflow suite agentic --provider ollama --model qwen2.5:7b`,
		Args: exactArgs(0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.suiteAgentic(cmd, g, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the results as one JSON array, with what each run gave")
	flags.StringArrayVar(&f.cases, "case", nil, "run this `CASE` alone, such as TC-031; may be given several times")
	completeFlag(cmd, "case", completeCases)
	a.addSuiteParams(cmd, f)
	return cmd
}

func completeCases(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	cases, err := suite.Cases()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out := make([]string, len(cases))
	for i, c := range cases {
		out[i] = c.ID + "\t" + c.Title
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// addSuiteParams makes a flag for each parameter of the node that a suite does
// not set itself.
func (a *App) addSuiteParams(cmd *cobra.Command, f *suiteFlags) {
	reg, err := a.offlineRegistry()
	if err != nil {
		return // opening the session reports it
	}
	n, ok := reg.Lookup(agenticNode)
	if !ok {
		return // running the command with --provider reports it
	}
	for _, p := range n.Spec.Params {
		if p.Name == "source_key" || p.Name == "output_key" || p.Name == "document_id" || p.Secret || p.Type == nodes.Object || p.Type == nodes.Array {
			continue
		}
		flag := strings.ReplaceAll(p.Name, "_", "-")
		if f.params[flag] != nil {
			continue // a parameter that is declared for several providers
		}
		f.params[flag] = new(string)
		f.parameterFor[flag] = p.Name
		cmd.Flags().StringVar(f.params[flag], flag, "", flagHelp(p))
		if p.Type == nodes.Boolean {
			cmd.Flags().Lookup(flag).NoOptDefVal = "true"
		}
	}
}

func (a *App) suiteAgentic(cmd *cobra.Command, g *globals, f *suiteFlags) error {
	cases, err := f.selected()
	if err != nil {
		return err
	}
	judge := func(ctx context.Context, c *suite.Case) (suite.Result, error) {
		r, err := c.Scripted(ctx)
		if err != nil {
			err = exitWith(ExitRun, err)
		}
		return r, err
	}
	if given := f.given(cmd); len(given) > 0 {
		if !slices.Contains(given, "provider") {
			return usageError("--%s is for a live model: give --provider too, or leave it out to run the scripted answers", given[0])
		}
		s, err := a.open(g, grants{})
		if err != nil {
			return err
		}
		defer s.close()
		if judge, err = s.liveJudge(cmd, f); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if !f.json {
		if _, err := io.WriteString(out, suiteHead()); err != nil {
			return exitWith(ExitRun, err)
		}
	}
	results := []suite.Result{}
	broken := 0
	for i := range cases {
		r, err := judge(cmd.Context(), &cases[i])
		if err != nil {
			return err
		}
		results = append(results, r)
		if !r.OK() {
			broken++
		}
		if !f.json {
			if _, err := io.WriteString(out, suiteLine(&r)); err != nil {
				return exitWith(ExitRun, err)
			}
		}
	}
	if f.json {
		if err := writeIndented(out, results); err != nil {
			return exitWith(ExitRun, err)
		}
	}
	if broken > 0 {
		return exitWith(ExitRun, fmt.Errorf("%d of %d cases are not as they should be", broken, len(results)))
	}
	return nil
}

// given lists the flags of the node that were set, in a fixed order.
func (f *suiteFlags) given(cmd *cobra.Command) []string {
	var out []string
	for flag := range f.params {
		if cmd.Flags().Changed(flag) {
			out = append(out, flag)
		}
	}
	slices.Sort(out)
	return out
}

// selected are the cases that --case names, or all.
func (f *suiteFlags) selected() ([]suite.Case, error) {
	all, err := suite.Cases()
	if err != nil || len(f.cases) == 0 {
		return all, err
	}
	var out []suite.Case
	for _, want := range f.cases {
		i := slices.IndexFunc(all, func(c suite.Case) bool { return strings.EqualFold(c.ID, want) })
		if i < 0 {
			return nil, usageError("--case: there is no case %q, want one of %s to %s", want, all[0].ID, all[len(all)-1].ID)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// suiteHead is the line above the cases.
func suiteHead() string {
	return fmt.Sprintf("%-6s  %-44s  %s  %5s %6s %6s %5s\n", "case", "title", strings.Join(rules.Names(), "  "), "props", "chunks", "tokens", "calls")
}

// suiteLine is the one line of a case. What is wrong follows below it, indented.
func suiteLine(r *suite.Result) string {
	var b strings.Builder
	title := r.Title
	if n := utf8.RuneCountInString(title); n > 44 {
		title = string([]rune(title)[:43]) + "…"
	}
	fmt.Fprintf(&b, "%-6s  %-44s", r.ID, title)
	for _, rule := range rules.Names() {
		mark := "ok"
		if n := r.Broken[rule]; n > 0 {
			mark = fmt.Sprintf("%d!", n)
		}
		fmt.Fprintf(&b, "  %-*s", len(rule), mark)
	}
	fmt.Fprintf(&b, "  %5d %6d %6d %5d\n", r.Propositions, r.Chunks, r.Tokens, r.Calls)
	for _, run := range r.Runs {
		for _, v := range run.Violations {
			fmt.Fprintf(&b, "        %s: %s\n", escapeLine(run.Answer), escapeLine(v.Detail))
		}
		for _, fault := range run.Faults {
			fmt.Fprintf(&b, "        %s: %s\n", escapeLine(run.Answer), escapeLine(fault))
		}
	}
	return b.String()
}
