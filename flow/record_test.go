package flow

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// tick is a clock that moves on one second whenever it is read.
type tick struct{ n int }

func (c *tick) Now() time.Time {
	c.n++
	return time.Date(2026, 1, 2, 3, 4, c.n, 0, time.FixedZone("east", 7200))
}
func (c *tick) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func failing(out nodes.Output) *nodes.Node {
	n := writer()
	n.Run = func(context.Context, *nodes.Call) (nodes.Output, error) {
		return nil, &nodes.Failure{Err: errors.New("no <good> \"way\""), Output: out}
	}
	return n
}

func TestRecordDocument(t *testing.T) {
	f := newFlow(
		step("embed").node(writer(), map[string]any{"text": "hello <b>", "output_key": "v"}),
		step("private", "embed").fn(publish(map[string]any{"_secret": 1, "open": []any{nil, true, 2.5}})),
		step("fetch", "private").node(failing(nodes.Output{"": "body"}), map[string]any{"output_key": "http"}),
		step("after", "fetch"),
	)
	res := run(t, &Runner{Env: &nodes.Env{Clock: &tick{}}, RunID: "run-1", MaxConcurrency: 1}, f, map[string]any{"in": "a&b", "_flow_dir": "/x"})
	var b strings.Builder
	if err := res.Record.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	// embed publishes v, v_embeddings (a twin) and v_success.
	want := `{"run_id":"run-1","flow":"test","flow_sha256":"` + strings.Repeat("ab", 32) + `","status":"failed",` +
		`"started":"2026-01-02T01:04:01Z","finished":"2026-01-02T01:04:09Z",` +
		`"error":{"message":"no <good> \"way\"","step":"fetch","file":"flow.lua","line":3,"kind":"node"},"steps":[` +
		`{"name":"embed","node":"writer","status":"success","attempts":1,"started":"2026-01-02T01:04:02Z","finished":"2026-01-02T01:04:03Z","outputs":["v","v_success"]},` +
		`{"name":"private","node":"function","status":"success","attempts":1,"started":"2026-01-02T01:04:04Z","finished":"2026-01-02T01:04:05Z","outputs":["open"]},` +
		`{"name":"fetch","node":"writer","status":"failed","attempts":1,"started":"2026-01-02T01:04:06Z","finished":"2026-01-02T01:04:07Z",` +
		`"error":{"message":"no <good> \"way\"","step":"fetch","file":"flow.lua","line":3,"kind":"node","output":{"http":"body","http_success":false}},"outputs":[]},` +
		`{"name":"after","node":"function","status":"skipped","attempts":0,"started":null,"finished":"2026-01-02T01:04:08Z","reason":"step \"fetch\" failed","outputs":[]}],` +
		`"context":{"in":"a&b","open":[null,true,2.5],"v":"hello <b>","v_success":true}}` + "\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if !json.Valid([]byte(b.String())) {
		t.Error("no valid JSON")
	}
	// The state keeps what the document leaves out.
	for k, want := range map[string]any{"_secret": int64(1), "_flow_dir": "/x", "v_embeddings": "hello <b>"} {
		if res.Context[k] != want {
			t.Errorf("context %s = %v", k, res.Context[k])
		}
	}
	public := res.Public()
	if _, ok := public["_secret"]; ok || public["v_embeddings"] == nil {
		t.Errorf("public context %v", public)
	}
	if want := []string{"open", "v", "v_success"}; !slices.Equal(res.Published(), want) {
		t.Errorf("published %v, want %v", res.Published(), want)
	}
}

func TestTwins(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []*Step
		want  []string
	}{
		{"a function's key of that name is none", []*Step{step("a").fn(publish(map[string]any{"x": 1, "x_embeddings": 2}))}, []string{"x", "x_embeddings"}},
		{"a later step gives the name a value of its own", []*Step{
			step("a").node(writer(), map[string]any{"output_key": "x"}),
			step("b", "a").fn(publish(map[string]any{"x_embeddings": "own"})),
		}, []string{"x", "x_embeddings", "x_success"}},
		{"a twin hides the name again", []*Step{
			step("a").fn(publish(map[string]any{"x_embeddings": "own"})),
			step("b", "a").node(writer(), map[string]any{"output_key": "x"}),
		}, []string{"x", "x_success"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := run(t, &Runner{}, newFlow(c.steps...), map[string]any{"x_embeddings": "initial"})
			var got []string
			for k := range res.Record.Context {
				got = append(got, k)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("context has %v, want %v", got, c.want)
			}
		})
	}
}

func TestPrivateErrorOutput(t *testing.T) {
	n := failing(nil)
	n.Spec.Outputs = append(n.Spec.Outputs, nodes.OutputSpec{Name: "_raw", Type: nodes.Any, Help: "private"})
	n.Run = func(context.Context, *nodes.Call) (nodes.Output, error) {
		return nil, &nodes.Failure{Err: errors.New("x"), Output: nodes.Output{"_raw": 1, "": "y"}}
	}
	var handed any
	res := run(t, &Runner{}, newFlow(step("a").node(n, nil).recover("h"), step("h").fn(goFunc(func(_ context.Context, v value.View) (any, error) {
		handed, _ = v.Get(KeyErrorOutput)
		return nil, nil
	}))), nil)
	if want := map[string]any{"_raw": int64(1), "out": "y", "out_success": false}; !value.Equal(handed, want) {
		t.Errorf("handed %v, want %v", handed, want)
	}
	if s := stepRecord(t, res, "a"); !value.Equal(s.ErrorOutput, map[string]any{"out": "y", "out_success": false}) {
		t.Errorf("record has %v", s.ErrorOutput)
	}
}

func TestEventJSON(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678000000, time.FixedZone("east", 3600))
	base := Event{Seq: 3, Time: at, RunID: "r"}
	for _, c := range []struct {
		change func(e *Event)
		want   string
	}{
		{func(e *Event) { e.Type = RunStarted }, `"type":"run_started"}`},
		{func(e *Event) { e.Type, e.Step, e.Node, e.Attempt = StepStarted, "a", "log", 1 }, `"type":"step_started","step":"a","node":"log","attempt":1}`},
		{func(e *Event) {
			e.Type, e.Step, e.Node, e.Attempt, e.Total, e.Unit = StepProgress, "a", "log", 1, 5, "batch"
		},
			`"type":"step_progress","step":"a","node":"log","attempt":1,"done":0,"total":5,"unit":"batch"}`},
		{func(e *Event) { e.Type, e.Step, e.Node, e.Attempt = StepSucceeded, "a", "log", 2 }, `"type":"step_succeeded","step":"a","node":"log","attempt":2,"duration_ms":0}`},
		{func(e *Event) { e.Type, e.Step, e.Node, e.Reason = StepSkipped, "a", "log", "why" }, `"type":"step_skipped","step":"a","node":"log","reason":"why"}`},
		{func(e *Event) {
			e.Type, e.Step, e.Node, e.Attempt, e.Duration = StepFailed, "a", "log", 1, 1500*time.Millisecond
			e.Error = &ErrorInfo{Message: "m", Step: "a", File: "f.lua", Line: 7, Kind: KindNode}
		}, `"type":"step_failed","step":"a","node":"log","attempt":1,"duration_ms":1500,"error":{"message":"m","step":"a","file":"f.lua","line":7,"kind":"node"}}`},
		{func(e *Event) { e.Type, e.Status = RunFinished, Success }, `"type":"run_finished","duration_ms":0,"status":"success"}`},
	} {
		e := base
		c.change(&e)
		got, err := json.Marshal(e)
		if want := `{"seq":3,"time":"2026-01-02T02:04:05.678Z","run_id":"r",` + c.want; err != nil || string(got) != want {
			t.Errorf("got  %s (%v)\nwant %s", got, err, want)
		}
	}
}

func TestEventsAreNumberedAndDated(t *testing.T) {
	var events []Event
	f := newFlow(step("a").fn(failWith("x")).retry(1, 0), step("b", "a"), step("c"))
	res := run(t, &Runner{Env: &nodes.Env{Clock: &tick{}}, OnEvent: func(e Event) { events = append(events, e) }}, f, nil)
	for i, e := range events {
		if e.Seq != int64(i+1) || e.RunID != res.RunID || e.Time.Location() != time.UTC {
			t.Errorf("event %d: %+v", i, e)
		}
		if e.Type == StepFailed && (e.Duration <= 0 || e.Error.Message != "x" || e.Attempt != 2) {
			t.Errorf("%+v", e)
		}
	}
	if last := events[len(events)-1]; last.Type != RunFinished || last.Duration != res.Record.Finished.Sub(res.Record.Started) || last.Status != Failed {
		t.Errorf("last event %+v", last)
	}
	if len(res.RunID) != 36 || res.RunID[14] != '4' {
		t.Errorf("run id %q is no UUID of version 4", res.RunID)
	}
}

// TestLargeRecordIsWrittenInPieces: no second copy of the vectors in memory.
func TestLargeRecordIsWrittenInPieces(t *testing.T) {
	data := make([]float64, 1<<21) // 16 MiB
	for i := range data {
		data[i] = float64(i) + 0.5
	}
	res := run(t, &Runner{}, newFlow(step("a").fn(publish(map[string]any{"v": value.NewVectors(data, 1024), "text": strings.Repeat("x", 1<<22)}))), nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := res.Record.WriteJSON(io.Discard); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("writing allocates %d bytes", n)
	}
}

type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestRecordReportsWriteErrors(t *testing.T) {
	res := run(t, &Runner{}, newFlow(step("a").fn(publish(map[string]any{"x": 1}))), nil)
	for n := range 300 {
		if err := res.Record.WriteJSON(&brokenWriter{n}); !errors.Is(err, io.ErrClosedPipe) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}
