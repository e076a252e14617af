package lua

import (
	"bytes"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
)

// fixedClock always tells the same time.
type fixedClock struct{ providers.Clock }

func (fixedClock) Now() time.Time { return time.UnixMilli(1700000000123).UTC() }

// The file and its functions reach the host's log, clock and environment.
func TestHostServices(t *testing.T) {
	vars := map[string]string{"A": "1", "B": "2", "EMPTY": ""}
	lookup := func(name string) (string, providers.Source, bool) {
		v, ok := vars[name]
		return v, providers.FromEnvironment, ok
	}
	const body = `
local function read() return { a = env("A"), b = env("B"), e = env("EMPTY"), none = env("NONE"), ms = now_unix_ms(), at = now_rfc3339() } end
local top = read()
print("printed", 1, true)
log("warn", "careful", { a = 1 })
log("DEBUG", "details")
local flow = Flow.new("x")
flow:step("a", function(ctx) local r = read(); log("error", "inside"); r.same = r.a == top.a and r.ms == top.ms; return r end)
return flow`
	for _, c := range []struct {
		allow string
		set   bool
		want  map[string]any
	}{
		{"", false, map[string]any{"a": "1", "b": "2", "e": ""}},
		{" B , C ", true, map[string]any{"b": "2"}},
		{"", true, map[string]any{}},
	} {
		delete(vars, AllowListVariable)
		if c.set {
			vars[AllowListVariable] = c.allow
		}
		var out bytes.Buffer
		h := NewHost(Options{Env: &nodes.Env{
			Lookup: lookup, Clock: fixedClock{providers.SystemClock()},
			Log: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})),
		}})
		f, err := load(t, h, body, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := call(t, f, "a", nil).(map[string]any)
		c.want["same"], c.want["ms"], c.want["at"] = true, int64(1700000000123), got["at"]
		if !reflect.DeepEqual(got, c.want) || !strings.HasPrefix(got["at"].(string), "2023-11-14T22:13:20.123") {
			t.Errorf("allow list %q: got %v, want %v", c.allow, got, c.want)
		}
		for _, line := range []string{`level=INFO msg="printed`, `level=WARN msg="careful {\"a\":1}"`, `level=DEBUG msg=details`, `level=ERROR msg=inside`} {
			if strings.Count(out.String(), line) != 1 {
				t.Errorf("%s is missing in\n%s", line, out.String())
			}
		}
	}
}

func TestReuse(t *testing.T) {
	f := good(t, `
local config = { message = "x", data = { deep = { 1, 2 } } }
local shared, fn = nodes.log(config), function() return 1 end
config.message = "y"
local flow = Flow.new("x")
flow:step("a", shared)
flow:step("b", shared)
flow:step("c", nodes.log(config))
flow:step("d", fn)
flow:step("e", fn)
return flow`)
	for name, want := range map[string]string{"a": "x", "b": "x", "c": "y"} {
		if got := step(t, f, name).Params["message"]; got != want {
			t.Errorf("%s: got %v, want %s", name, got, want)
		}
	}
	if call(t, f, "d", nil) != int64(1) || call(t, f, "e", nil) != int64(1) {
		t.Error("a function given to two steps")
	}
}
