package nodes_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

func variables(pairs ...string) *nodes.Env {
	return &nodes.Env{Redactor: &transport.Redactor{}, Lookup: func(name string) (string, providers.Source, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], providers.FromEnvironment, true
			}
		}
		return "", 0, false
	}}
}

func TestNewCallResolves(t *testing.T) {
	view := value.Map{"doc": "text", "n": int64(7), "f": 0.5, "flag": false, "name": "Ada", "mode": "cues",
		"list": value.NewStrings([]string{"a", "b"}), "obj": map[string]any{"k": int64(1)}}
	raw := map[string]any{
		"source_key": "doc", "mode": "${ctx.mode}", "size": "${ctx.n}", "ratio": "${ctx.f}", "deep": "${ctx.flag}",
		"title": "Hello ${ctx.name}, ${ctx.missing}${ctx.obj}", "plain": "${ctx.name}",
		"data":     map[string]any{"one": "${ctx.list}", "text": "n=${ctx.n}", "deep": []any{"${ctx.obj}"}},
		"anything": "${ctx.obj}", "options": map[string]any{"depth": "3"}, "api_key": "0123456789",
	}
	env := variables()
	c, err := nodes.NewCall(sample(), raw, nodes.Host{Env: env, View: view, Step: "s", Attempt: 2, Retries: 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"mode": "cues", "size": int64(7), "ratio": 0.5, "deep": false, "title": `Hello Ada, {"k":1}`, "plain": "${ctx.name}",
		"data":     map[string]any{"one": view["list"], "text": "n=7", "deep": []any{map[string]any{"k": int64(1)}}},
		"anything": map[string]any{"k": int64(1)}, "options": map[string]any{"depth": int64(3), "unit": "bytes", "most": int64(3)},
		"output_key": "out", "left": nil,
	} {
		if got := c.Value(name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %#v, want %#v", name, got, want)
		}
	}
	if c.Int("size") != 7 || c.Float("ratio") != 0.5 || c.Bool("deep") || c.String("left") != "" || c.Attempt() != 2 || c.Retries() != 3 || c.Step() != "s" {
		t.Error("a typed accessor differs")
	}
	if !c.Given("ratio") || c.Given("left") || c.Has("left") || !c.Has("output_key") || c.Given("output_key") || !c.Templated("size") || c.Templated("source_key") {
		t.Error("Given, Has or Templated differ")
	}
	if got := c.Secret("api_key").Reveal(); got != "0123456789" {
		t.Errorf("secret %q", got)
	}
	if got := env.Redactor.Redact("key 0123456789"); got != "key ***" {
		t.Errorf("the redactor did not learn the secret: %q", got)
	}
	if got, err := c.SourceString("source_key"); got != "text" || err != nil {
		t.Errorf("source %q, %v", got, err)
	}
}

func TestNewCallErrors(t *testing.T) {
	view := value.Map{"doc": "text", "n": int64(7), "word": "many", "mode": "split", "odd": "odd", "_private": "x"}
	tests := []struct {
		name string
		raw  map[string]any
		env  *nodes.Env
		want string
	}{
		{"checked again", map[string]any{"source_key": "doc", "sise": int64(1)}, nil, `sample: sise: unknown parameter; did you mean "size"?`},
		{"resolved out of range", map[string]any{"source_key": "doc", "ratio": "${ctx.neg}"}, nil, `sample: ratio: got "", want a number`},
		{"resolved to a word", map[string]any{"source_key": "doc", "size": "${ctx.word}"}, nil, `sample: size: got "many", want an integer`},
		{"resolved enum", map[string]any{"source_key": "doc", "mode": "${ctx.odd}"}, nil, `sample: mode: got "odd", want one of "fixed", "split" or "cues"`},
		{"resolved group", map[string]any{"source_key": "doc", "mode": "${ctx.mode}", "size": int64(3), "pattern": "x"}, nil,
			`sample: size: has no effect with mode="split"; it belongs to mode="fixed" or mode="cues"`},
		{"resolved group, required", map[string]any{"source_key": "doc", "mode": "${ctx.mode}"}, nil, `sample: pattern: is required: where to cut`},
		{"required from a variable", map[string]any{"source_key": "doc", "provider": "far"}, nil, `sample: far_url: is required: where far is (or set FAR_URL)`},
		{"bad variable", map[string]any{"source_key": "doc"}, variables("SAMPLE_PROVIDER", "fra"), `sample: provider: from the variable SAMPLE_PROVIDER: got "fra", want one of "near" or "far"; did you mean "far"?`},
		{"no retries", map[string]any{"source_key": "doc", "deep": "${ctx.t}"}, nil, `sample: deep: cannot be true on a step with retries, because a repetition would do the work twice; remove :retries(...)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			view["t"] = true
			_, err := nodes.NewCall(sample(), tt.raw, nodes.Host{Env: tt.env, View: view, Retries: 1})
			var pe *nodes.ParamError
			if err == nil || err.Error() != tt.want || !errors.As(err, &pe) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	env := variables("SAMPLE_PROVIDER", "far", "FAR_URL", "${ctx.doc}", "SAMPLE_KEY", "0123456789")
	c, err := nodes.NewCall(sample(), map[string]any{"source_key": "doc"}, nodes.Host{Env: env, View: value.Map{"doc": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	// A variable is no template.
	if c.String("provider") != "far" || c.String("far_url") != "${ctx.doc}" || c.Secret("api_key").Reveal() != "0123456789" {
		t.Errorf("provider %q, url %q", c.String("provider"), c.String("far_url"))
	}
	if c.Given("api_key") || !c.Has("api_key") {
		t.Error("a variable counts as given by the flow, or not at all")
	}
	if env.Redactor.Redact("0123456789") != "***" {
		t.Error("the redactor did not learn a secret from a variable")
	}
}

func TestSourceErrors(t *testing.T) {
	spec := &nodes.Spec{Name: "n", Params: []nodes.Param{{Name: "source_key", Type: nodes.String, Role: nodes.Source, Required: true, Help: "x"}}}
	view := value.Map{"document": "text", "parts": []any{"a", int64(1)}, "meta": map[string]any{"a": int64(1)}, "empty": map[string]any{}, "odd key": "v", "a.b": "exact", "_private": 1}
	as := map[string]func(*nodes.Call) (any, error){
		"any":     func(c *nodes.Call) (any, error) { return c.Source("source_key") },
		"string":  func(c *nodes.Call) (any, error) { return c.SourceString("source_key") },
		"strings": func(c *nodes.Call) (any, error) { return c.SourceStrings("source_key") },
		"array":   func(c *nodes.Call) (any, error) { return c.SourceArray("source_key") },
	}
	for _, tt := range []struct{ source, as, want string }{
		{"documnet", "any", `n: source_key: "documnet" is not in the context; did you mean "document"? (a step sees the initial context and the steps that it depends on)`},
		{"parts[9]", "any", `n: source_key: "parts[9]" is not in the context; did you mean "parts"? (a step sees the initial context and the steps that it depends on)`},
		{"a b", "any", `n: source_key: "a b" is no path, at byte 2: expected ., [ or the end; write a key, then .name, [index] from 0 or ["any key"]`},
		{"meta", "string", `n: source_key: "meta" holds an object, want a string`},
		{"document", "array", `n: source_key: "document" holds "text", want an array`},
		{"parts", "strings", `n: source_key: "parts": element 2 is a number, expected a string`},
		{"empty", "array", ""},
		{"odd key", "string", ""},
		{"a.b", "string", ""},
		{"${ctx.document}", "any", `n: source_key: "text" is not in the context; it has "a.b", "document", "empty", "meta", "odd key" and "parts" (a step sees the initial context and the steps that it depends on)`},
	} {
		c, err := nodes.NewCall(spec, map[string]any{"source_key": tt.source}, nodes.Host{View: view})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := as[tt.as](c); errText(err) != tt.want {
			t.Errorf("%s as %s:\ngot  %v\nwant %s", tt.source, tt.as, err, tt.want)
		}
	}
	c, _ := nodes.NewCall(spec, map[string]any{"source_key": "x"}, nodes.Host{View: value.Map{}})
	if _, err := c.Source("source_key"); errText(err) != `n: source_key: "x" is not in the context, which is empty here; give it with --set or add the step that publishes it to depends_on` {
		t.Error(err)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestUndeclaredParameterPanics(t *testing.T) {
	c, err := nodes.NewCall(sample(), map[string]any{"source_key": "doc"}, nodes.Host{View: value.Map{"doc": ""}})
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(){
		"undeclared": func() { c.String("nope") },
		"wrong type": func() { c.Bool("output_key") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			read()
		}()
	}
	// A list from the context for an array of strings is checked, not trusted.
	spec := &nodes.Spec{Name: "n", Params: []nodes.Param{{Name: "words", Type: nodes.Array, Interpolate: true, Elem: &nodes.Param{Type: nodes.String}, Help: "x"}}}
	_, err = nodes.NewCall(spec, map[string]any{"words": value.NewFloats([]float64{1})}, nodes.Host{View: value.Map{}})
	if errText(err) != "n: words: element 1: got 1, want a string" {
		t.Error(err)
	}
}

func invoke(t *testing.T, spec *nodes.Spec, raw map[string]any, run func(*nodes.Call) (nodes.Output, error)) (map[string]any, error) {
	t.Helper()
	n := &nodes.Node{Spec: *spec, Run: func(_ context.Context, c *nodes.Call) (nodes.Output, error) { return run(c) }}
	return nodes.Invoke(t.Context(), n, raw, nodes.Host{View: value.Map{"doc": "x"}, Step: "cut"})
}

func TestPublish(t *testing.T) {
	raw := func(more ...any) map[string]any {
		m := map[string]any{"source_key": "doc"}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	tests := []struct {
		name string
		raw  map[string]any
		out  nodes.Output
		want map[string]any
		err  string
	}{
		{"list", raw(), nodes.Output{"": []string{"a", "b"}, "_title": "t"},
			map[string]any{"out": value.NewStrings([]string{"a", "b"}), "out_count": int64(2), "out_success": true, "out_title": "t"}, ""},
		{"own key", raw("output_key", "parts"), nodes.Output{"": []any{}}, map[string]any{"parts": []any{}, "parts_count": int64(0), "parts_success": true}, ""},
		{"fixed name", raw(), nodes.Output{"_mark_<step>": "m"}, map[string]any{"_mark_cut": "m", "out_success": true}, ""},
		{"own success and count", raw(), nodes.Output{"": []any{}, "_success": false, "_count": 5}, map[string]any{"out": []any{}, "out_count": int64(5), "out_success": false}, ""},
		{"undeclared", raw(), nodes.Output{"_other": 1}, nil, `sample: internal error of the node: it returned "_other", which its Spec does not declare as an output`},
		{"of another group", raw("mode", "split", "pattern", "x"), nodes.Output{"_size": 1}, nil, `sample: internal error of the node: it returned "_size", which its Spec does not declare as an output`},
		{"of its group", raw("mode", "cues"), nodes.Output{"_size": 1.0}, map[string]any{"out_size": 1.0, "out_success": true}, ""},
		{"wrong type", raw(), nodes.Output{"_size": "big"}, nil, `sample: internal error of the node: its output "_size" is "big", but its Spec declares an integer`},
		{"no list", raw(), nodes.Output{"": "x"}, nil, `sample: internal error of the node: its output "" is "x", but its Spec declares an array`},
		{"no value", raw(), nodes.Output{"_title": nil}, map[string]any{"out_title": nil, "out_success": true}, ""},
		{"no context value", raw(), nodes.Output{"_title": make(chan int)}, nil, `sample: output "_title": `},
		{"for failures only", raw(), nodes.Output{"_code": 1}, nil, `sample: internal error of the node: it returned "_code", which its Spec does not declare as an output`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := invoke(t, sample(), tt.raw, func(*nodes.Call) (nodes.Output, error) { return tt.out, nil })
			if tt.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
					t.Errorf("got %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil || !value.Equal(got, tt.want) {
				t.Errorf("got %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestPublishWithoutOutputKey(t *testing.T) {
	plain := &nodes.Spec{Name: "p", Outputs: []nodes.OutputSpec{{Name: "note", Type: nodes.String, Help: "x"}}}
	got, err := invoke(t, plain, nil, func(*nodes.Call) (nodes.Output, error) { return nodes.Output{"note": "n"}, nil })
	if err != nil || !value.Equal(got, map[string]any{"note": "n"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := invoke(t, plain, nil, func(*nodes.Call) (nodes.Output, error) { return nodes.Output{"_success": true}, nil }); err == nil {
		t.Error("_success without output_key was accepted")
	}
	open := &nodes.Spec{Name: "o", OpenOutputs: true, Params: []nodes.Param{{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Help: "x"}},
		Outputs: []nodes.OutputSpec{{Type: nodes.Any, Help: "x"}}}
	got, err = invoke(t, open, nil, func(*nodes.Call) (nodes.Output, error) { return nodes.Output{"a": 1, "b": 2}, nil })
	if err != nil || !value.Equal(got, map[string]any{"a": int64(1), "b": int64(2)}) {
		t.Errorf("open: got %v, %v", got, err)
	}
	got, err = invoke(t, open, map[string]any{"output_key": "k"}, func(*nodes.Call) (nodes.Output, error) { return nodes.Output{"": 1}, nil })
	if err != nil || !value.Equal(got, map[string]any{"k": int64(1), "k_success": true}) {
		t.Errorf("with key: got %v, %v", got, err)
	}
	if _, err = invoke(t, open, map[string]any{"output_key": "k"}, func(*nodes.Call) (nodes.Output, error) { return nodes.Output{"a": 1}, nil }); err == nil {
		t.Error("with key: an undeclared suffix was accepted")
	}
}

func TestFailureAndPanic(t *testing.T) {
	cause := errors.New("it broke")
	_, err := invoke(t, sample(), map[string]any{"source_key": "doc"}, func(*nodes.Call) (nodes.Output, error) {
		return nil, &nodes.Failure{Err: cause, Output: nodes.Output{"_code": 3, "_title": "t"}}
	})
	var f *nodes.Failure
	if !errors.As(err, &f) || !errors.Is(err, cause) || !value.Equal(f.Published, map[string]any{"out_code": int64(3), "out_title": "t", "out_success": false}) {
		t.Errorf("got %v, %+v", err, f)
	}
	var log bytes.Buffer
	n := &nodes.Node{Spec: *sample(), Run: func(context.Context, *nodes.Call) (nodes.Output, error) { panic("oops") }}
	_, err = nodes.Invoke(t.Context(), n, map[string]any{"source_key": "doc"}, nodes.Host{View: value.Map{}, Env: &nodes.Env{Log: slog.New(slog.NewTextHandler(&log, nil))}})
	if errText(err) != "sample: internal error of the node: oops" || !strings.Contains(log.String(), "call_test.go") {
		t.Errorf("got %v, log %s", err, log.String())
	}
	n.Run = func(context.Context, *nodes.Call) (nodes.Output, error) {
		return nil, &nodes.Failure{Err: cause, Output: nodes.Output{"_nope": 3}}
	}
	log.Reset()
	_, err = nodes.Invoke(t.Context(), n, map[string]any{"source_key": "doc"}, nodes.Host{View: value.Map{}, Env: &nodes.Env{Log: slog.New(slog.NewTextHandler(&log, nil))}})
	if !errors.Is(err, cause) || !strings.Contains(log.String(), "_nope") {
		t.Errorf("got %v, log %s", err, log.String())
	}
}

func TestEnvIsComplete(t *testing.T) {
	for _, env := range []*nodes.Env{nil, {}} {
		n := &nodes.Node{Spec: *sample(), Run: func(_ context.Context, c *nodes.Call) (nodes.Output, error) {
			c.Env().Log.Info("x")
			c.Progress(1, 2, "x")
			if c.Env().Clock.Now().IsZero() {
				t.Error("no clock")
			}
			return nil, nil
		}}
		if _, err := nodes.Invoke(t.Context(), n, map[string]any{"source_key": "doc"}, nodes.Host{Env: env, View: value.Map{}}); err != nil {
			t.Error(err)
		}
	}
}
