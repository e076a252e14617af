package strlib

import (
	"os"
	"regexp"
	"strings"
	"testing"

	glua "github.com/yuin/gopher-lua"
)

// prelude takes the helpers of the golden script out of it.
func prelude(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile("testdata/golden.lua")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(src), "prelude = [[\n")
	helpers, _, ok2 := strings.Cut(rest, "\n]]\n")
	if !ok || !ok2 {
		t.Fatal("testdata/golden.lua has no prelude")
	}
	return helpers
}

// newState makes a stock state with our functions in place of its own.
func newState(t testing.TB, l Lib) *glua.LState {
	t.Helper()
	L := glua.NewState()
	t.Cleanup(L.Close)
	for lib, fns := range map[string]map[string]glua.LGFunction{"string": l.Strings(), "table": l.Tables()} {
		table := L.GetGlobal(lib).(*glua.LTable)
		for name, f := range fns {
			table.RawSetString(name, L.NewFunction(f))
		}
	}
	L.SetGlobal("utf8", L.SetFuncs(L.NewTable(), l.UTF8()))
	return L
}

// Every call of the table gives what reference Lua 5.1 gave for it.
func TestGolden(t *testing.T) {
	L := newState(t, Lib{MaxBytes: 1 << 20})
	// gopher-lua's own tostring of a float is the one that ".." uses.
	if err := L.DoString(prelude(t)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	failed, n := 0, 0
	for line := range strings.Lines(string(data)) {
		call, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " --> ")
		if !ok {
			t.Fatalf("bad line %q", line)
		}
		n++
		f, err := L.LoadString("return show(pcall(function() return " + call + " end))")
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		L.Push(f)
		L.Call(0, 1)
		got := L.ToString(-1)
		L.Pop(1)
		if strings.HasPrefix(want, "error") {
			want = normal(want)
			got = normal(got)
		}
		if got != want {
			if failed++; failed <= 40 {
				t.Errorf("%s\n got %s\nwant %s", call, got, want)
			}
		}
	}
	if n < 9000 || failed > 40 {
		t.Errorf("%d calls checked, %d differ", n, failed)
	}
}

var place = regexp.MustCompile(`^error .*?:\d+: ?|to \w+ `)

var absent = regexp.MustCompile(`(string|number) expected, got (nil|no value)|^no value`)

// normal drops from an error message the place, the name of the function and
// how a missing argument is told, which gopher-lua's own checks word
// differently.
func normal(msg string) string {
	msg = absent.ReplaceAllString(msg, "no value")
	return "error " + strings.TrimPrefix(place.ReplaceAllString(msg, ""), "error ")
}
