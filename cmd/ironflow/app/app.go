package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
)

// version is set by the linker (see the Makefile).
var version = "dev"

// App is the command line with the nodes that it offers.
type App struct {
	register []func(*nodes.Registry) error
}

// Option changes an App.
type Option func(*App)

// WithNodes adds nodes of your own: register gets the registry with all
// built-in nodes and adds to it.
func WithNodes(register func(*nodes.Registry) error) Option {
	return func(a *App) { a.register = append(a.register, register) }
}

// New returns the command line.
func New(opts ...Option) *App {
	a := &App{}
	for _, o := range opts {
		o(a)
	}
	return a
}

// Run runs one command on p and returns the exit code. Logs and errors go to
// p.Stderr, results to p.Stdout. A context that a signal cancelled decides
// over the exit code.
func (a *App) Run(ctx context.Context, p Process) int {
	root := a.rootCommand(p)
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, errSilent) {
		printError(p.Stderr, err)
	}
	return exitCode(ctx, err)
}

// printError prints the one error that ends a command.
func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "error: %s\n", escapeControl(strings.TrimRight(err.Error(), "\n")))
}

// globals are the flags that every command has.
type globals struct {
	process Process
	dotenv  string
	verbose bool
	quiet   bool
}

func (a *App) rootCommand(p Process) *cobra.Command {
	g := &globals{process: p}
	root := &cobra.Command{
		Use:   "ironflow",
		Short: "Turn documents into chunks that are ready for retrieval",
		Long: `IronFlow runs flows written in Lua: steps that read documents, cut them into
chunks, embed them and write them where you need them.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("unknown command %q%s; `ironflow --help` lists them", args[0], didYouMeanCommand(cmd, args[0]))
			}
			return nil
		},
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableSuggestions:         true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&g.dotenv, "dotenv", "", "read variables from `FILE` instead of ./.env; it must exist")
	flags.BoolVarP(&g.verbose, "verbose", "v", false, "log at debug level")
	flags.BoolVar(&g.quiet, "quiet", false, "log errors only, and print no listing")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError("%w; `%s --help` lists the flags", err, cmd.CommandPath())
	})
	root.AddCommand(a.runCommand(g), a.validateCommand(g), a.nodesCommand(g), a.chunkCommand(g), a.evalCommand(g), a.graphCommand(g), a.suiteCommand(g), a.typesCommand(g), a.docsCommand(g), versionCommand())
	completionCommand(root)
	return root
}

func didYouMeanCommand(cmd *cobra.Command, name string) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := nodes.Nearest(name, names); len(near) > 0 {
		return "; did you mean " + nodes.QuoteList(near, "or") + "?"
	}
	return ""
}

// exactArgs is cobra's rule with an error in our words.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError("got %d arguments, want %s: %s", len(args), what, cmd.UseLine())
		}
		return nil
	}
}
