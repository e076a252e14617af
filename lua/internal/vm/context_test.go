package vm

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes/value"
)

// sampleContext has one key that Lua cannot read.
func sampleContext() map[string]any {
	return map[string]any{
		"name": "ada", "n": int64(3), "none": nil, "list": []any{int64(1), int64(2)}, "empty": []any{},
		"obj": map[string]any{"k": "v"}, "vec": value.NewVectors([]float64{1, 2, 3, 4}, 2),
	}
}

func TestContextInHandlers(t *testing.T) {
	e := testEngine(nil)
	for body, want := range map[string]string{
		`return { ctx.name, ctx.n + 1, ctx.none == json_null, #ctx.list, #ctx.vec, ctx.vec[2][1], ctx.obj.k, ctx.nothing == nil }`: `["ada",4,true,2,2,3,"v",true]`,
		`local t = {} for k in pairs(ctx) do t[#t + 1] = k end return table.concat(t, " ")`:                                        `"empty list n name none obj vec"`,
		`ctx.name = nil ctx.zz = 1 local t = {} for k, v in pairs(ctx) do t[#t + 1] = k end return table.concat(t, " ")`:           `"empty list n none obj vec zz"`,
		`local k, v = next(ctx) return { k, v, next(ctx, "name") }`:                                                                `["empty",[],"none",null]`,
		`return { rawget(ctx, "name"), type(ctx), #ctx, rawget(ctx, "x") == nil }`:                                                 `["ada","table",0,true]`,
		`rawset(ctx, "name", "bob") return ctx.name`:                                                                               `"bob"`,
		`rawset(ctx, "name", nil) return tostring(ctx.name)`:                                                                       `"nil"`,
		`return ctx.vec`: `[[1,2],[3,4]]`,
		`return { again = ctx.vec, e = ctx.empty }`:                          `{"again":[[1,2],[3,4]],"e":[]}`,
		`return json_parse(json_stringify(ctx)).obj`:                         `{"k":"v"}`,
		`ctx.list[3] = 3 return ctx`:                                         `{"empty":[],"list":[1,2,3],"n":3,"name":"ada","none":null,"obj":{"k":"v"},"vec":[[1,2],[3,4]]}`,
		`local o = setmetatable({}, { __index = ctx }) return o.name`:        `"ada"`,
		`for i, v in ipairs(ctx.list) do ctx.n = ctx.n + v end return ctx.n`: `6`,
		`return nil`:  `null`,
		``:            `null`,
		`return 1, 2`: `1`,
	} {
		h := handlers(t, e, "return function(ctx) "+body+" end")[0]
		got, err := h.Run(context.Background(), withContext(sampleContext()))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		wantJSON(t, got, want)
	}
}

func TestLargeIntegersInHandlers(t *testing.T) {
	e := testEngine(nil)
	in := map[string]any{"id": int64(1<<53 + 1), "order": map[string]any{"id": -int64(1<<53 + 1), "x": "y"}, "ids": []any{int64(1<<53 + 1)}, "ok": int64(1 << 53)}
	for body, want := range map[string]string{
		`return ctx.id`:                    "$.id: integer 9007199254740993 is beyond +-2^53",
		`return ctx.order.id`:              "$.order.id: integer -9007199254740993",
		`return ctx.ids`:                   "$.ids[1]: integer 9007199254740993",
		`for k in pairs(ctx.order) do end`: "$.order.id",
		`return next(ctx.order)`:           "$.order.id",
		`return rawget(ctx.order, "id")`:   "$.order.id",
		`for k in pairs(ctx) do end`:       "$.id",
		`return pcall(setmetatable, ctx.order, {}) and 1 or error(select(2, pcall(setmetatable, ctx.order, {})))`: "$.order.id",
	} {
		h := handlers(t, e, "return function(ctx) "+body+" end")[0]
		if got, err := h.Run(context.Background(), withContext(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", body, got, err, want)
		}
	}
	for body, want := range map[string]string{
		`return ctx.order.x`:                          `"y"`,
		`return { o = ctx.order, n = ctx.ok }`:        `{"n":9007199254740992,"o":{"id":-9007199254740993,"x":"y"}}`,
		`return ctx`:                                  `{"id":9007199254740993,"ids":[9007199254740993],"ok":9007199254740992,"order":{"id":-9007199254740993,"x":"y"}}`,
		`rawset(ctx.order, "id", 1) return ctx.order`: `{"id":1,"x":"y"}`,
		`return getmetatable(ctx.order) == nil`:       `true`,
	} {
		h := handlers(t, e, "return function(ctx) "+body+" end")[0]
		got, err := h.Run(context.Background(), withContext(in))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		wantJSON(t, got, want)
	}
}

// A handler that hands a list on gives the list itself, not a copy.
func TestHandedOnListIsTheSame(t *testing.T) {
	e := testEngine(nil)
	vec := value.NewVectors(make([]float64, 1000), 10)
	h := handlers(t, e, `return function(ctx) return { out = ctx.v, first = ctx.v[1] } end`)[0]
	got, err := h.Run(context.Background(), withContext(map[string]any{"v": vec}))
	if err != nil || got.(map[string]any)["out"] != any(vec) {
		t.Errorf("%v", err)
	}
	h = handlers(t, e, `return function(ctx) ctx.v[1][1] = 5 return ctx.v end`)[0]
	got, err = h.Run(context.Background(), withContext(map[string]any{"v": vec}))
	if err != nil || got == any(vec) || vec.Row(0)[0] != 0 {
		t.Errorf("a changed list: %v, the original has %v", err, vec.Row(0)[0])
	}
}

// One scalar beside 16 million embedding values: under 5 ms and 1 MB.
func TestScalarBesideVectors(t *testing.T) {
	h := handlers(t, testEngine(nil), "return function(ctx) return ctx.n end")[0]
	args := withContext(map[string]any{"n": int64(1), "v": value.NewVectors(make([]float64, 16_000_000), 1600)})
	best := time.Hour
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		if _, err := h.Run(context.Background(), args); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(start))
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("the run allocates %d bytes", n)
		}
	}
	if best > 5*time.Millisecond {
		t.Errorf("the run takes %v", best)
	}
}

// A file may hold much that a handler does not reach; a run does not copy it.
func TestUnreachedStateIsNotCopied(t *testing.T) {
	h := handlers(t, testEngine(nil), `
local big, n = {}, 7
for i = 1, 100000 do big[i] = { "entry " .. i } end
all = function() return big end
return function() return n end`)[0]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := h.Run(context.Background(), nil)
	runtime.ReadMemStats(&after)
	if err != nil || got != int64(7) {
		t.Fatalf("%v, %v", got, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("the run allocates %d bytes", n)
	}
}

// Args and Use run under the limits too, and their panics are internal errors.
func TestHostCodeUnderLimits(t *testing.T) {
	e := testEngine(func(c *Config) { c.Limits.MaxSeconds = 0.05 })
	h := handlers(t, e, "return function(f) return f end")[0]
	err := h.Do(context.Background(), func(*VM) ([]glua.LValue, error) { panic("in args") }, nil)
	if err == nil || !strings.Contains(err.Error(), "internal error in the Lua host: in args") {
		t.Errorf("%v", err)
	}
	err = h.Do(context.Background(), nil, func(v *VM, _ []glua.LValue) error {
		<-v.L.Context().Done()
		return v.L.Context().Err()
	})
	if err == nil || !strings.Contains(err.Error(), "IRONFLOW_LUA_MAX_SECONDS") {
		t.Errorf("%v", err)
	}
	got, err := h.Run(context.Background(), func(v *VM) ([]glua.LValue, error) {
		v.SetGlobal("extra", glua.LNumber(4))
		lv, err := v.ToLua([]any{int64(1), nil})
		return []glua.LValue{lv}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, got, "[1,null]")
	if err := h.Do(context.Background(), nil, nil); err != nil {
		t.Error(err)
	}
}
