package lua

import (
	"reflect"
	"testing"
)

func TestBuilder(t *testing.T) {
	f := good(t, `
local flow = Flow.new("demo")
flow:step("a", nodes.log({ message = "hi" }))
flow:step("b", function(ctx) return { n = 1 } end):depends_on("a"):retries(3, 0.5):timeout(7.5)
flow:step("c", nodes.log{ message = "x" })
  :depends_on({ "a", "b" })
  :on_error("r")
flow:step("r", nodes.log{ message = "x" })
flow:step_if("ctx.n > 0", "d", nodes.log{ message = "x" }):depends_on("b"):retries(1):timeout(2)
flow:step("e", nodes.log{ message = "x" }):depends_on("_if_d"):route("true")
return flow`)
	if f.Name != "demo" || f.File != "f.lua" || len(f.Steps) != 7 || len(f.SHA256) != 64 {
		t.Fatalf("%+v", f)
	}
	b := step(t, f, "b")
	if b.Retries != 3 || b.Backoff != 0.5 || !b.HasTimeout || b.Timeout != 7.5 || b.Func == nil || b.Line != 4 {
		t.Errorf("b: %+v", b)
	}
	c := step(t, f, "c")
	if !reflect.DeepEqual(c.DependsOn, []string{"a", "b"}) || c.OnError != "r" || c.Line != 5 || c.Backoff != 1 {
		t.Errorf("c: %+v", c)
	}
	d, guard := step(t, f, "d"), step(t, f, "_if_d")
	if guard.Guards != "d" || guard.Params["condition"] != "ctx.n > 0" || !reflect.DeepEqual(guard.DependsOn, []string{"b"}) {
		t.Errorf("guard: %+v", guard)
	}
	if d.Route != "true" || !reflect.DeepEqual(d.DependsOn, []string{"_if_d"}) || d.Retries != 1 || d.Timeout != 2 || guard.HasTimeout {
		t.Errorf("d: %+v", d)
	}
	if got := call(t, f, "b", nil); !reflect.DeepEqual(got, map[string]any{"n": int64(1)}) {
		t.Errorf("b returned %v", got)
	}
}
