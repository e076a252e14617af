package nodetest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
)

func shout(run func(context.Context, *nodes.Call) (nodes.Output, error)) nodes.Node {
	return nodes.Node{Run: run, Spec: nodes.Spec{
		Name: "acme.shout", Summary: "Make a text loud", Doc: "It has no limit.",
		Params: []nodes.Param{
			{Name: "text", Type: nodes.String, Required: true, Interpolate: true, Help: "what to shout"},
			{Name: "each", Type: nodes.Function, Help: "what to do"},
			{Name: "token", Type: nodes.String, Secret: true, Env: "ACME_TOKEN", Help: "a key"},
			{Name: "output_key", Type: nodes.String, Default: "shout", Role: nodes.OutputKey, Help: "start of the published keys"},
		},
		Outputs:  []nodes.OutputSpec{{Type: nodes.String, Help: "the loud text"}},
		Examples: []nodes.Example{{Title: "Loud", Lua: `nodes.acme.shout{ text = "hi" }`}},
	}}
}

// recorder takes the place of the test that is reported to.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestRun(t *testing.T) {
	node := shout(func(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
		call.Env().Log.Info("shouting", "token", call.Secret("token").Reveal())
		call.Progress(1, 2, "word")
		v, err := call.Func("each").Call(ctx, call.String("text"))
		if err != nil {
			return nil, err
		}
		return nodes.Output{"": v}, call.Env().Clock.Sleep(ctx, time.Minute)
	})
	b := nodetest.New(t)
	b.Vars["ACME_TOKEN"] = "tok-0123456789"
	before := b.Clock.Now()
	got, err := b.Run(node, map[string]any{"text": "hi ${ctx.name}", "each": nodetest.Func(func(_ context.Context, args ...any) (any, error) {
		return strings.ToUpper(args[0].(string)), nil
	})}, map[string]any{"name": "ada", "other": []string{"a"}})
	if err != nil || !value.Equal(got, map[string]any{"shout": "HI ADA", "shout_success": true}) {
		t.Errorf("got %v, %v", got, err)
	}
	if b.Log.String() != "INFO shouting token=***" {
		t.Errorf("logged %q", b.Log.String())
	}
	if r := b.Reports(); len(r) != 1 || r[0] != (nodetest.Report{Done: 1, Total: 2, Unit: "word"}) {
		t.Errorf("reports %v", r)
	}
	if b.Clock.Now().Sub(before) != time.Minute || len(b.Clock.Slept()) != 1 {
		t.Errorf("the clock moved by %v", b.Clock.Now().Sub(before))
	}
	if _, err := nodetest.Run(t, node, map[string]any{"txt": 1}, nil); err == nil || err.Error() != "acme.shout: txt: unknown parameter; did you mean \"text\"?" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if err := b.Clock.Sleep(ctx, time.Hour); !errors.Is(err, why) {
		t.Errorf("sleeping after a cancel: %v", err)
	}
}

func TestRunFindsBrokenRules(t *testing.T) {
	for name, tt := range map[string]struct {
		run  func(context.Context, *nodes.Call) (nodes.Output, error)
		want string
	}{
		"changed context": {func(_ context.Context, call *nodes.Call) (nodes.Output, error) {
			v, _ := call.View().Get("list")
			v.([]any)[0] = "changed"
			return nil, nil
		}, "acme.shout changed the context it was given:"},
		"unannounced key": {func(context.Context, *nodes.Call) (nodes.Output, error) { return nodes.Output{"_count": 1}, nil },
			`acme.shout published "shout_count", which its Spec does not announce; it announces "shout" and "shout_success"`},
	} {
		r := &recorder{TB: t}
		if _, err := nodetest.New(r).Run(shout(tt.run), map[string]any{"text": "x"}, map[string]any{"list": []any{"a"}}); err != nil {
			t.Error(err)
		}
		if len(r.errors) != 1 || !strings.HasPrefix(r.errors[0], tt.want) {
			t.Errorf("%s: reported %q", name, r.errors)
		}
	}
}

func TestNetworkIsLoopbackOnly(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	defer s.Close()
	env := nodetest.Env(t)
	for url, want := range map[string]bool{
		s.URL: true, strings.Replace(s.URL, "127.0.0.1", "localhost", 1): true,
		"http://198.51.100.7/": false, "http://example.com/": false, "http://10.0.0.1/": false,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := env.HTTP.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err == nil) != want {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestCheckSpec(t *testing.T) {
	good := shout(nil).Spec
	r := &recorder{TB: t}
	nodetest.CheckSpec(r, &good)
	if len(r.errors) != 0 {
		t.Errorf("a good Spec: %q", r.errors)
	}
	for want, spoil := range map[string]func(*nodes.Spec){
		"has no documentation (Doc)":                      func(s *nodes.Spec) { s.Doc = "" },
		"the text of summary ends with a full stop":       func(s *nodes.Spec) { s.Summary += "." },
		"the text of parameter text has several lines":    func(s *nodes.Spec) { s.Params[0].Help = "a\nb" },
		`node "acme.shout": parameter "text" has no help`: func(s *nodes.Spec) { s.Params[0].Help = "" },
		`node "acme.shout": output "" has no help`:        func(s *nodes.Spec) { s.Outputs[0].Help = "" },
		"has no example":                                    func(s *nodes.Spec) { s.Examples = nil },
		"an example has no title":                           func(s *nodes.Spec) { s.Examples[0].Title = "" },
		"the example Loud is no call of this node":          func(s *nodes.Spec) { s.Examples[0].Lua = "nodes.log{}" },
		"the context of the example Loud is no JSON object": func(s *nodes.Spec) { s.Examples[0].Context = "[1]" },
		`node name "Acme": want lower-case letters, digits`: func(s *nodes.Spec) { s.Name = "Acme" },
		"the text of parameter opt.inner ends with a full sto": func(s *nodes.Spec) {
			s.Params = append(s.Params, nodes.Param{Name: "opt", Type: nodes.Object, Help: "x", Fields: []nodes.Param{{Name: "inner", Type: nodes.String, Help: "x."}}})
		},
	} {
		spec := shout(nil).Spec
		spoil(&spec)
		found := false
		for _, p := range nodetest.SpecProblems(&spec) {
			found = found || strings.HasPrefix(p, want)
		}
		if !found {
			t.Errorf("want %q, got %q", want, nodetest.SpecProblems(&spec))
		}
	}
}
