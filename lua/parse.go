package lua

import (
	"errors"
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// chunk is a compiled piece of Lua source.
type chunk struct {
	proto *glua.FunctionProto
	// starts maps a line on which a call begins to the line on which the
	// statement around it begins, where the two differ.
	starts map[int]int
}

// start returns the line of the statement that the given line belongs to.
func (c *chunk) start(line int) int {
	if c != nil {
		if s, ok := c.starts[line]; ok {
			return s
		}
	}
	return line
}

// compile parses and compiles source text under the name that messages show.
// The error is a *LoadError of kind KindSyntax.
func compile(name, source string) (c *chunk, err error) {
	source = strings.TrimPrefix(source, "\uFEFF")
	if strings.HasPrefix(source, "#!") {
		source = "--" + source
	}
	if err := checkNesting(name, source); err != nil {
		return nil, err
	}
	defer func() {
		// The compiler panics on what it did not expect.
		if r := recover(); r != nil {
			c, err = nil, &LoadError{File: name, Kind: KindSyntax, Msg: fmt.Sprintf("the Lua compiler cannot read this: %v", r)}
		}
	}()
	stmts, err := parse.Parse(strings.NewReader(source), name)
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	t := tree{file: name, starts: map[int]int{}, begins: map[int]bool{}}
	if stmts, err = t.chunk(stmts); err != nil {
		return nil, err
	}
	proto, err := glua.Compile(stmts, name)
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	return &chunk{proto: proto, starts: t.statementStarts()}, nil
}

// syntaxError turns the errors of the parser and the compiler into one with a
// line and a short text.
func syntaxError(name, source string, err error) *LoadError {
	e := &LoadError{File: name, Kind: KindSyntax}
	var perr *parse.Error
	var cerr *glua.CompileError
	switch {
	case errors.As(err, &perr):
		text := strings.TrimSpace(perr.Message)
		if text == "parse error" || strings.HasPrefix(text, "syntax error") {
			text = "syntax error"
		}
		if e.Line = perr.Pos.Line; e.Line == parse.EOF {
			e.Line = 1 + strings.Count(strings.TrimRight(source, "\n"), "\n")
			e.Msg = text + " at the end of the file; is an \"end\", a bracket or a quote missing?"
			return e
		}
		e.Msg = text
		if perr.Token != "" {
			e.Msg += fmt.Sprintf(" near %q", shorten(perr.Token))
		}
	case errors.As(err, &cerr):
		e.Line, e.Msg = cerr.Line, cerr.Message
		if strings.Contains(e.Msg, "local variables") {
			e.Msg += "; one function holds at most 200, so put some into a table"
		}
	default:
		e.Msg = "the Lua parser cannot read this: " + err.Error()
	}
	return e
}

// shorten cuts text for use inside a message.
func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// maxBlocks is how deep brackets and blocks may nest in source text, as in
// reference Lua (LUAI_MAXCCALLS).
const maxBlocks = 200

// checkNesting refuses source that nests deeper than maxBlocks, before the
// parser spends memory on it. It reads tokens only and leaves what it cannot
// read to the parser.
func checkNesting(name, source string) error {
	lexer := &parse.Lexer{}
	scanner := parse.NewScanner(strings.NewReader(source), name)
	depth := 0
	for {
		token, err := scanner.Scan(lexer)
		if err != nil || token.Type < 0 {
			return nil
		}
		lexer.PrevTokenType, lexer.Token = token.Type, token
		switch token.Type {
		case '(', '[', '{', parse.TDo, parse.TThen, parse.TFunction, parse.TRepeat:
			depth++
		case ')', ']', '}', parse.TEnd, parse.TUntil, parse.TElseIf:
			depth--
		}
		if depth > maxBlocks {
			return &LoadError{File: name, Line: token.Pos.Line, Kind: KindSyntax,
				Msg: fmt.Sprintf("more than %d levels of brackets and blocks inside one another", maxBlocks)}
		}
	}
}
