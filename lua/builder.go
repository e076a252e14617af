package lua

import (
	"fmt"
	"math"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/flow"
)

// builder returns the builder that a method was called on.
func (l *loader) builder(L *glua.LState, method string) (*builderObject, []glua.LValue) {
	args := arguments(L)
	if len(args) > 0 {
		if ud, ok := args[0].(*glua.LUserData); ok {
			switch obj := ud.Value.(type) {
			case *builderObject:
				return obj, args[1:]
			case *flowObject:
				l.record(L, "", "%s belongs to a step: flow:step(...):%s(...)", method, method)
				return l.broken(L, obj, nil), args[1:]
			}
		}
	}
	l.record(L, "", "call %s with a colon: flow:step(...):%s(...)", method, method)
	return l.broken(L, l.anyFlow(), nil), args
}

// before returns the step that dependencies and routes go to.
func (b *builderObject) before() *flow.Step {
	if b.guard != nil {
		return b.guard
	}
	return b.step
}

// reject notes that a call on the builder, perhaps one of depends_on, could
// not be understood.
func (l *loader) reject(b *builderObject) {
	target := b.before()
	target.Broken = true
	l.unclear[target] = true
}

func (l *loader) dependsOn(L *glua.LState) int {
	b, args := l.builder(L, "depends_on")
	target := b.before()
	reject := func(format string, a ...any) {
		l.reject(b)
		l.record(L, b.step.Name, "depends_on: "+format, a...)
	}
	if len(args) == 0 {
		reject(`want the names of steps, as in :depends_on("a", "b")`)
	}
	for _, arg := range args {
		switch v := arg.(type) {
		case glua.LString:
			target.DependsOn = append(target.DependsOn, string(v))
		case *glua.LTable:
			names, bad := stringList(v)
			target.DependsOn = append(target.DependsOn, names...)
			if bad != "" {
				reject("%s; want names of steps, as in :depends_on({\"a\", \"b\"})", bad)
			}
		default:
			reject(`got %s, want names of steps, as in :depends_on("a", "b") or :depends_on({"a", "b"})`, describe(arg))
		}
	}
	return l.push(L, b)
}

// stringList reads a list of strings; bad says what else is in it.
func stringList(t *glua.LTable) (names []string, bad string) {
	keys := 0
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		keys++
		s, ok := v.(glua.LString)
		if n, isNumber := k.(glua.LNumber); !isNumber || int(n) != keys {
			return names, fmt.Sprintf("the table has the key %s", describe(k))
		}
		if !ok {
			return names, fmt.Sprintf("element %d is %s", keys, describe(v))
		}
		names = append(names, string(s))
	}
	return names, ""
}

func (l *loader) retries(L *glua.LState) int {
	b, args := l.builder(L, "retries")
	limit, ok := argument(args, 0).(glua.LNumber)
	switch {
	case !ok:
		l.record(L, b.step.Name, "retries: got %s, want the number of extra attempts, 0..100", describe(argument(args, 0)))
	case float64(limit) != math.Trunc(float64(limit)) || math.Abs(float64(limit)) > math.MaxInt32:
		l.record(L, b.step.Name, "retries: got %s, want a whole number of extra attempts, 0..100", describe(limit))
	default:
		b.step.Retries = int(limit)
	}
	if len(args) > 1 {
		if backoff, ok := args[1].(glua.LNumber); ok {
			b.step.Backoff = float64(backoff)
		} else {
			l.record(L, b.step.Name, "retries: the second argument is %s, want the first wait in seconds, 0..300", describe(args[1]))
		}
	}
	l.tooMany(L, b, "retries", args, 2)
	return l.push(L, b)
}

func (l *loader) timeout(L *glua.LState) int {
	b, args := l.builder(L, "timeout")
	if seconds, ok := argument(args, 0).(glua.LNumber); ok {
		b.step.Timeout, b.step.HasTimeout = float64(seconds), true
	} else {
		l.record(L, b.step.Name, "timeout: got %s, want seconds above 0", describe(argument(args, 0)))
	}
	l.tooMany(L, b, "timeout", args, 1)
	return l.push(L, b)
}

func (l *loader) route(L *glua.LState) int {
	b, args := l.builder(L, "route")
	if name, ok := argument(args, 0).(glua.LString); ok {
		target := b.before()
		target.Route, target.HasRoute = string(name), true
	} else {
		l.record(L, b.step.Name, "route: got %s, want the name of a route as a string", describe(argument(args, 0)))
	}
	l.tooMany(L, b, "route", args, 1)
	return l.push(L, b)
}

func (l *loader) onError(L *glua.LState) int {
	b, args := l.builder(L, "on_error")
	if name, ok := argument(args, 0).(glua.LString); ok {
		b.step.OnError = string(name)
	} else {
		l.record(L, b.step.Name, "on_error: got %s, want the name of a step as a string", describe(argument(args, 0)))
	}
	l.tooMany(L, b, "on_error", args, 1)
	return l.push(L, b)
}

func (l *loader) tooMany(L *glua.LState, b *builderObject, method string, args []glua.LValue, most int) {
	if len(args) > most {
		l.record(L, b.step.Name, "%s: got %d arguments, want at most %d", method, len(args), most)
	}
}
