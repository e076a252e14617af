package lua

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// tree walks a parsed chunk once before it is compiled. It refuses what would
// make the compiler recurse or loop without bound, collects where statements
// start, and breaks up what the compiler would take quadratic time for: it
// searches the list of a function's constants from the start for every
// constant it meets, so a function of 10,000 statements would cost seconds.
// Long runs of statements and long tables become calls of small local
// functions, each with constants of its own; nothing else about them changes.
type tree struct {
	file   string
	starts map[int]int  // line of a call -> line of its statement
	begins map[int]bool // lines on which a statement begins
	depth  int
	jumps  int // labels and gotos of the current function
	err    error
}

const (
	// maxDepth bounds the nesting of expressions; a + b + c counts two.
	maxDepth = 10000
	// maxJumps bounds the labels and gotos of one function: the compiler
	// compares each with each.
	maxJumps = 1000
	// longList is the number of statements, or fields, from which a list is
	// broken up, and pieceLen how many go into one piece.
	longList = 128
	pieceLen = 64
	// maxConstants is the number of different constants in one function.
	maxConstants = 20000
	// maxNames is the number of different names in one piece: the compiler
	// holds at most 255 upvalues and does not check.
	maxNames = 200
)

// chunk prepares the statements of a whole file.
func (t *tree) chunk(stmts []ast.Stmt) ([]ast.Stmt, error) {
	stmts = t.block(stmts)
	t.constants(stmts, 1)
	return stmts, t.err
}

// statementStarts returns the collected lines. A line on which a statement
// begins of its own stands for that statement.
func (t *tree) statementStarts() map[int]int {
	for line := range t.starts {
		if t.begins[line] {
			delete(t.starts, line)
		}
	}
	return t.starts
}

func (t *tree) fail(line int, format string, args ...any) {
	if t.err == nil {
		t.err = &LoadError{File: t.file, Line: line, Kind: KindSyntax, Msg: fmt.Sprintf(format, args...)}
	}
}

// enter counts one level of nesting and reports whether to go on.
func (t *tree) enter(line int) bool {
	t.depth++
	if t.depth > maxDepth {
		t.fail(line, "an expression nests more than %d levels deep; break it up with locals", maxDepth)
	}
	return t.err == nil
}

func (t *tree) block(stmts []ast.Stmt) []ast.Stmt {
	if !t.enter(0) {
		return stmts
	}
	defer func() { t.depth-- }()
	for _, s := range stmts {
		t.begins[s.Line()] = true
		t.stmt(s)
	}
	return t.pieces(stmts)
}

func (t *tree) stmt(s ast.Stmt) {
	line := s.Line()
	switch s := s.(type) {
	case *ast.AssignStmt:
		t.exprs(s.Lhs, line)
		t.exprs(s.Rhs, line)
	case *ast.LocalAssignStmt:
		t.exprs(s.Exprs, line)
	case *ast.FuncCallStmt:
		// Stays a call: only tables are replaced.
		t.expr(s.Expr, line)
	case *ast.DoBlockStmt:
		s.Stmts = t.block(s.Stmts)
	case *ast.WhileStmt:
		s.Condition = t.expr(s.Condition, line)
		s.Stmts = t.block(s.Stmts)
	case *ast.RepeatStmt:
		s.Condition = t.expr(s.Condition, line)
		// The condition sees the locals of the body, so it stays one block.
		s.Stmts = t.block(s.Stmts)
	case *ast.IfStmt:
		s.Condition = t.expr(s.Condition, line)
		s.Then = t.block(s.Then)
		s.Else = t.block(s.Else)
	case *ast.NumberForStmt:
		s.Init, s.Limit, s.Step = t.expr(s.Init, line), t.expr(s.Limit, line), t.expr(s.Step, line)
		s.Stmts = t.block(s.Stmts)
	case *ast.GenericForStmt:
		t.exprs(s.Exprs, line)
		s.Stmts = t.block(s.Stmts)
	case *ast.FuncDefStmt:
		t.function(s.Func)
	case *ast.ReturnStmt:
		t.exprs(s.Exprs, line)
	case *ast.LabelStmt, *ast.GotoStmt:
		if t.jumps++; t.jumps > maxJumps {
			t.fail(line, "more than %d labels and gotos in one function", maxJumps)
		}
	}
}

func (t *tree) exprs(list []ast.Expr, line int) {
	for i, e := range list {
		list[i] = t.expr(e, line)
	}
}

// expr prepares an expression of the statement that begins on the given line
// and returns what is to stand in its place.
func (t *tree) expr(e ast.Expr, line int) ast.Expr {
	if e == nil || !t.enter(line) {
		return e
	}
	defer func() { t.depth-- }()
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		e.Object, e.Key = t.expr(e.Object, line), t.expr(e.Key, line)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			f.Key, f.Value = t.expr(f.Key, line), t.expr(f.Value, line)
		}
		return t.longTable(e)
	case *ast.FuncCallExpr:
		if e.Line() > line {
			t.starts[e.Line()] = line
		}
		e.Func, e.Receiver = t.expr(e.Func, line), t.expr(e.Receiver, line)
		t.exprs(e.Args, line)
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = t.expr(e.Lhs, line), t.expr(e.Rhs, line)
	case *ast.RelationalOpExpr:
		e.Lhs, e.Rhs = t.expr(e.Lhs, line), t.expr(e.Rhs, line)
	case *ast.StringConcatOpExpr:
		e.Lhs, e.Rhs = t.expr(e.Lhs, line), t.expr(e.Rhs, line)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = t.expr(e.Lhs, line), t.expr(e.Rhs, line)
	case *ast.UnaryMinusOpExpr:
		e.Expr = t.expr(e.Expr, line)
	case *ast.UnaryNotOpExpr:
		e.Expr = t.expr(e.Expr, line)
	case *ast.UnaryLenOpExpr:
		e.Expr = t.expr(e.Expr, line)
	case *ast.FunctionExpr:
		t.function(e)
	}
	return e
}

func (t *tree) function(f *ast.FunctionExpr) {
	jumps := t.jumps
	t.jumps = 0
	f.Stmts = t.block(f.Stmts)
	t.constants(f.Stmts, f.Line())
	t.jumps = jumps
}
