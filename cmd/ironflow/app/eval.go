package app

import (
	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

// evalCommand groups the commands that measure chunkers; each has a file of its
// own.
func (a *App) evalCommand(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure chunkers on your documents or on public sets",
		Long: `Measures how well text is cut, with the same nodes and parameters as in a flow.
Every table has the trivial baselines beside the method, standard errors, and
paired differences with 95 % bootstrap intervals: an interval that holds 0 says
that this set cannot tell the two apart.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("unknown command %q of %s%s; `%s --help` lists them", args[0], cmd.CommandPath(), didYouMeanCommand(cmd, args[0]), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.evalSegCommand(g), a.evalRetrievalCommand(g))
	cmd.AddCommand(a.evalChunksCommand(g))
	return cmd
}

// evalFlags are the flags that every command of eval has.
type evalFlags struct {
	json, csv bool
	markdown  bool
	resamples int
	seed      uint64
}

// maxResamples bounds the time that intervals take.
const maxResamples = 1000000

func (f *evalFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the tables as one JSON object")
	flags.BoolVar(&f.csv, "csv", false, "print the tables as CSV")
	flags.IntVar(&f.resamples, "resamples", quality.DefaultResamples, "resamples of a bootstrap interval")
	flags.Uint64Var(&f.seed, "seed", 1, "`NUMBER` that all random choices start from; the same seed gives the same output")
	flags.BoolVar(&f.markdown, "markdown", false, "print the tables as Markdown")
	cmd.MarkFlagsMutuallyExclusive("json", "csv", "markdown")
}

func (f *evalFlags) check() error {
	if f.resamples < 1 || f.resamples > maxResamples {
		return usageError("--resamples: got %d, allowed: 1 to %d", f.resamples, maxResamples)
	}
	return nil
}

// interval is the mean of paired differences with its interval.
func (f *evalFlags) interval(diff []float64) quality.Interval {
	return quality.PairedBootstrap(diff, f.resamples, f.seed)
}

// someArgs wants at least one argument.
func someArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError("got no arguments, want %s: %s", what, cmd.UseLine())
		}
		return nil
	}
}
