package lua

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// pieces replaces runs of statements in a long list by calls of functions that
// hold pieceLen of them each. Only statements that mean the same inside a
// function are moved: no declaration of a local, nothing that leaves or enters
// from outside, no `...`.
func (t *tree) pieces(stmts []ast.Stmt) []ast.Stmt {
	if len(stmts) <= longList {
		return stmts
	}
	out := make([]ast.Stmt, 0, len(stmts))
	var run []ast.Stmt
	names := map[string]bool{}
	flush := func() {
		if len(run) > 1 {
			call := t.called(run)
			stmt := &ast.FuncCallStmt{Expr: call}
			stmt.SetLine(call.Line())
			out = append(out, stmt)
		} else {
			out = append(out, run...)
		}
		run = nil
		clear(names)
	}
	for _, s := range stmts {
		use := uses{names: map[string]bool{}}
		use.top(s)
		if use.fixed || len(use.names) > maxNames {
			flush()
			out = append(out, s)
			continue
		}
		if len(run) == pieceLen || len(names)+len(use.names) > maxNames {
			flush()
		}
		run = append(run, s)
		for n := range use.names {
			names[n] = true
		}
	}
	flush()
	return out
}

// called returns the call of a function without parameters that holds the
// statements.
func (t *tree) called(stmts []ast.Stmt) *ast.FuncCallExpr {
	line := stmts[0].Line()
	t.constants(stmts, line)
	last := stmts[len(stmts)-1]
	f := &ast.FunctionExpr{ParList: &ast.ParList{}, Stmts: stmts}
	f.SetLine(line)
	f.SetLastLine(max(last.Line(), last.LastLine()))
	call := &ast.FuncCallExpr{Func: f, AdjustRet: true}
	call.SetLine(line)
	return call
}

// tableName is the local that a long table is built in. No source text can
// spell it.
const tableName = "(table)"

// longTable turns a constructor with many fields into the call of a function
// that fills a table piece by piece. A table that cannot be built so without a
// difference stays as it is.
func (t *tree) longTable(e *ast.TableExpr) ast.Expr {
	if len(e.Fields) <= longList {
		return e
	}
	use := uses{names: map[string]bool{}}
	positional, computed := false, false
	for i, f := range e.Fields {
		use.expr(f.Key)
		use.expr(f.Value)
		if f.Key == nil {
			positional = true
			if call, ok := f.Value.(*ast.FuncCallExpr); ok && !call.AdjustRet && i == len(e.Fields)-1 {
				return e // may give any number of elements
			}
		} else if _, text := f.Key.(*ast.StringExpr); !text {
			computed = true
		}
	}
	if use.fixed || len(use.names) > maxNames || positional && computed {
		return e
	}
	line := e.Line()
	table := func() ast.Expr { return at(&ast.IdentExpr{Value: tableName}, line) }
	empty := at(&ast.TableExpr{}, line)
	stmts := []ast.Stmt{atStmt(&ast.LocalAssignStmt{Names: []string{tableName}, Exprs: []ast.Expr{empty}}, line)}
	index := 0
	var sets []ast.Stmt
	flush := func() {
		if len(sets) > 0 {
			stmts = append(stmts, atStmt(&ast.FuncCallStmt{Expr: t.called(sets)}, line))
			sets = nil
		}
	}
	for _, f := range e.Fields {
		key := f.Key
		if key == nil {
			index++
			key = at(&ast.NumberExpr{Value: strconv.Itoa(index)}, line)
		}
		slot := at(&ast.AttrGetExpr{Object: table(), Key: key}, line)
		sets = append(sets, atStmt(&ast.AssignStmt{Lhs: []ast.Expr{slot}, Rhs: []ast.Expr{f.Value}}, line))
		if len(sets) == pieceLen {
			flush()
		}
	}
	flush()
	stmts = append(stmts, atStmt(&ast.ReturnStmt{Exprs: []ast.Expr{table()}}, line))
	return t.called(stmts)
}

func at[E ast.PositionHolder](e E, line int) E {
	e.SetLine(line)
	return e
}

func atStmt[S ast.PositionHolder](s S, line int) S {
	s.SetLine(line)
	s.SetLastLine(line)
	return s
}

// uses finds out what a piece of source refers to outside itself.
type uses struct {
	names map[string]bool // every name that is read or assigned
	// fixed is set when the source means something else inside a function of
	// its own.
	fixed  bool
	inside int // nesting of functions
	loops  int // nesting of loops
	// constants, when it is set, collects the constants of the function that
	// the source belongs to, and functions inside it are left out.
	constants map[string]bool
}

// constants refuses a function with so many constants that it would take the
// compiler long. It looks at what is left after breaking up.
func (t *tree) constants(stmts []ast.Stmt, line int) {
	u := uses{names: map[string]bool{}, constants: map[string]bool{}}
	u.stmts(stmts)
	if len(u.constants) > maxConstants {
		t.fail(line, "more than %d different constants in one function; move data into files that steps read, or spread it over several functions", maxConstants)
	}
}

// constant notes a string or a number of the source; the kind tells 1 from "1".
func (u *uses) constant(kind, text string) {
	if u.constants != nil {
		u.constants[kind+text] = true
	}
}

// top looks at a statement of the list that is to be broken up.
func (u *uses) top(s ast.Stmt) {
	if _, local := s.(*ast.LocalAssignStmt); local {
		u.fixed = true
		return
	}
	u.stmt(s)
}

func (u *uses) leaves() {
	if u.inside == 0 {
		u.fixed = true
	}
}

func (u *uses) stmts(list []ast.Stmt) {
	for _, s := range list {
		u.stmt(s)
	}
}

func (u *uses) loop(list []ast.Stmt) {
	u.loops++
	u.stmts(list)
	u.loops--
}

func (u *uses) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		u.exprs(s.Lhs)
		u.exprs(s.Rhs)
	case *ast.LocalAssignStmt:
		u.exprs(s.Exprs)
	case *ast.FuncCallStmt:
		u.expr(s.Expr)
	case *ast.DoBlockStmt:
		u.stmts(s.Stmts)
	case *ast.WhileStmt:
		u.expr(s.Condition)
		u.loop(s.Stmts)
	case *ast.RepeatStmt:
		u.expr(s.Condition)
		u.loop(s.Stmts)
	case *ast.IfStmt:
		u.expr(s.Condition)
		u.stmts(s.Then)
		u.stmts(s.Else)
	case *ast.NumberForStmt:
		u.exprs([]ast.Expr{s.Init, s.Limit, s.Step})
		u.loop(s.Stmts)
	case *ast.GenericForStmt:
		u.exprs(s.Exprs)
		u.loop(s.Stmts)
	case *ast.FuncDefStmt:
		u.expr(s.Name.Func)
		u.expr(s.Name.Receiver)
		u.expr(s.Func)
	case *ast.BreakStmt:
		if u.loops == 0 {
			u.leaves()
		}
	default: // return, goto, label
		if r, ok := s.(*ast.ReturnStmt); ok {
			u.exprs(r.Exprs)
		}
		u.leaves()
	}
}

func (u *uses) exprs(list []ast.Expr) {
	for _, e := range list {
		u.expr(e)
	}
}

func (u *uses) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Comma3Expr:
		u.leaves()
	case *ast.IdentExpr:
		u.names[e.Value] = true
		u.constant("s", e.Value) // of a global
	case *ast.StringExpr:
		u.constant("s", e.Value)
	case *ast.NumberExpr:
		u.constant("n", e.Value)
	case *ast.AttrGetExpr:
		u.expr(e.Object)
		u.expr(e.Key)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			u.expr(f.Key)
			u.expr(f.Value)
		}
	case *ast.FuncCallExpr:
		u.constant("s", e.Method)
		u.expr(e.Func)
		u.expr(e.Receiver)
		u.exprs(e.Args)
	case *ast.LogicalOpExpr:
		u.expr(e.Lhs)
		u.expr(e.Rhs)
	case *ast.RelationalOpExpr:
		u.expr(e.Lhs)
		u.expr(e.Rhs)
	case *ast.StringConcatOpExpr:
		u.expr(e.Lhs)
		u.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		u.expr(e.Lhs)
		u.expr(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		u.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		u.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		u.expr(e.Expr)
	case *ast.FunctionExpr:
		if u.constants != nil {
			return
		}
		loops := u.loops
		u.inside, u.loops = u.inside+1, 0
		u.stmts(e.Stmts)
		u.inside, u.loops = u.inside-1, loops
	}
}
