package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// assignment is one --set, --set-json or --set-file, in the order given.
type assignment struct{ flag, key, text string }

// assignFlag collects the three kinds of flag into one ordered list.
type assignFlag struct {
	name string
	list *[]assignment
}

// String implements pflag.Value.
func (f assignFlag) String() string { return "" }

// Type implements pflag.Value.
func (f assignFlag) Type() string {
	return map[string]string{"set": "key=text", "set-json": "key=JSON", "set-file": "key=PATH"}[f.name]
}

// Set implements pflag.Value.
func (f assignFlag) Set(s string) error {
	key, text, ok := strings.Cut(s, "=")
	if !ok || key == "" {
		return fmt.Errorf("want %s", f.Type())
	}
	*f.list = append(*f.list, assignment{"--" + f.name, key, text})
	return nil
}

// contextFlags are the flags that make the initial context.
type contextFlags struct {
	context     string
	assignments []assignment
}

func (c *contextFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&c.context, "context", "c", "", "initial context: a JSON object, `@FILE`, or - for standard input")
	cmd.Flags().Var(assignFlag{"set", &c.assignments}, "set", "set a key of the context to a text")
	cmd.Flags().Var(assignFlag{"set-json", &c.assignments}, "set-json", "set a key of the context to a JSON value")
	cmd.Flags().Var(assignFlag{"set-file", &c.assignments}, "set-file", "set a key of the context to the text of a file")
}

// build reads the initial context: -c first, then the assignments in order.
func (c *contextFlags) build(g *globals, maxFile int64) (map[string]any, error) {
	out := map[string]any{}
	if c.context != "" {
		m, err := c.readContext(g, maxFile)
		if err != nil {
			return nil, err
		}
		out = m
	}
	for _, a := range c.assignments {
		v, err := a.value(g, maxFile)
		if err != nil {
			return nil, usageError("%s %s: %w", a.flag, a.key, err)
		}
		out[a.key] = v
	}
	return out, nil
}

func (c *contextFlags) readContext(g *globals, maxFile int64) (map[string]any, error) {
	var text []byte
	var err error
	where := "--context"
	switch {
	case c.context == "-":
		where = "the context on standard input"
		text, err = readAtMost(g.process.Stdin, maxFile)
	case strings.HasPrefix(c.context, "@"):
		where = "the context file " + c.context[1:]
		text, err = readRegular(g.path(c.context[1:]), maxFile)
	default:
		text = []byte(c.context)
	}
	if err != nil {
		return nil, usageError("reading %s: %w", where, err)
	}
	v, err := value.ParseJSON(text)
	if err != nil {
		return nil, usageError("%s: %w", where, err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, usageError("%s: got %s, want a JSON object", where, nodes.Describe(v))
	}
	return m, nil
}

func (a assignment) value(g *globals, maxFile int64) (any, error) {
	switch a.flag {
	case "--set-json":
		return value.ParseJSON([]byte(a.text))
	case "--set-file":
		data, err := readRegular(g.path(a.text), maxFile)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", a.text, err)
		}
		return fileText(data)
	}
	if !utf8.ValidString(a.text) {
		return nil, fmt.Errorf("the text is not valid UTF-8")
	}
	return a.text, nil
}

// fileText checks the text of a file and drops a byte order mark, the same way
// read_file does.
func fileText(data []byte) (string, error) {
	s := strings.TrimPrefix(string(data), "\ufeff")
	if i := invalidUTF8(s); i >= 0 {
		return "", fmt.Errorf("the file is not valid UTF-8 (byte offset %d)", i)
	}
	return s, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// path makes a path from the command line absolute.
func (g *globals) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(g.process.Dir, p)
}
