package agentic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// echo answers every sentence with itself and groups by the last word but one. It
// is what an honest model with nothing to rewrite says.
type echo struct {
	mu       sync.Mutex
	calls    int
	purposes map[string]int
	// change, when not nil, replaces an answer.
	change func(q Question, answer Reply) (Reply, error)
	delay  func()
}

func (m *echo) Ask(ctx context.Context, q Question) (Reply, error) {
	if m.delay != nil {
		m.delay()
	}
	m.mu.Lock()
	m.calls++
	if m.purposes == nil {
		m.purposes = map[string]int{}
	}
	m.purposes[q.Purpose]++
	m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	reply := Reply{Text: honest(q), InputTokens: 10, OutputTokens: 5}
	if m.change != nil {
		return m.change(q, reply)
	}
	return reply, nil
}

func honest(q Question) string {
	type item struct {
		Text      string   `json:"text"`
		Sentences []string `json:"sentences"`
	}
	type theme struct {
		Label string   `json:"label"`
		IDs   []string `json:"ids"`
	}
	var items []item
	var themes []theme
	at := map[string]int{}
	for _, i := range q.Items {
		items = append(items, item{i.Text, []string{i.Label}})
		words := strings.Fields(i.Text)
		key := words[max(0, len(words)-2)]
		if q.Purpose == PurposeMerge {
			key = i.Text
		}
		k, known := at[key]
		if !known {
			k = len(themes)
			at[key] = k
			themes = append(themes, theme{Label: strings.TrimPrefix("About "+key, "About About ")})
		}
		themes[k].IDs = append(themes[k].IDs, i.Label)
	}
	var out []byte
	if q.Purpose == PurposeGroup || q.Purpose == PurposeMerge {
		out, _ = json.Marshal(map[string]any{"groups": themes})
	} else {
		out, _ = json.Marshal(map[string]any{"propositions": items})
	}
	return string(out)
}

var things = strings.Fields("dam weir lock pier quay kiln mill forge barn tower")
var places = strings.Fields("Holm Ask Vik Tarn Kvalsund Sarvik Norrby Munkby Vellinge Hovde")

// prose makes n sentences of one fact each, all different.
func prose(from, n int) string {
	out := make([]string, n)
	for i := range out {
		k := from + i
		out[i] = fmt.Sprintf("The %s at %s measured %d metres before the %s work.", things[k%10], places[k/10%10], 100+k, things[k/7%10])
	}
	return strings.Join(out, " ")
}

func one(text string) []verify.Input { return []verify.Input{{Text: text}} }

func mustRun(t testing.TB, opt Options, inputs []verify.Input, m Model) *Result {
	t.Helper()
	r, err := Run(context.Background(), opt, inputs, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNothingToDo(t *testing.T) {
	m := &echo{}
	for _, inputs := range [][]verify.Input{nil, {}, one(""), one(" \n\t "), {{ID: "a"}, {ID: "b", Text: "\n"}}, one("***\n\n---")} {
		r := mustRun(t, DefaultOptions(), inputs, m)
		if len(r.Chunks) != 0 || m.calls != 0 || r.DocumentID == "" {
			t.Errorf("%q: %d chunks, %d calls", inputs, len(r.Chunks), m.calls)
		}
	}
}

// TestCalls counts: one call for each batch and one for the themes.
func TestCalls(t *testing.T) {
	m := &echo{}
	r := mustRun(t, DefaultOptions(), one(prose(0, 100)), m)
	if r.Report.Batches < 2 || m.calls != r.Report.Batches+1 || m.purposes[PurposeGroup] != 1 || m.purposes[PurposeExtract] != r.Report.Batches {
		t.Errorf("%d batches, calls %v", r.Report.Batches, m.purposes)
	}
	rep := r.Report
	if rep.Calls != m.calls || rep.Repairs+rep.Verbatim+rep.Truncated+rep.Malformed+rep.Regrouped != 0 || rep.Covered != 100 || rep.Sentences != 100 || rep.Propositions != 100 || rep.InputTokens != int64(10*m.calls) {
		t.Errorf("report %+v", rep)
	}
}

func TestPlanOverTheLimit(t *testing.T) {
	m := &echo{}
	opt := DefaultOptions()
	opt.MaxCalls = 3
	_, err := Run(context.Background(), opt, one(prose(0, 300)), m)
	var calls *CallsError
	if !errors.As(err, &calls) || m.calls != 0 {
		t.Fatalf("error %v after %d calls", err, m.calls)
	}
	opt.MaxCalls = calls.Batches + calls.Grouping
	if !strings.Contains(err.Error(), fmt.Sprintf("set max_calls=%d", opt.MaxCalls)) {
		t.Errorf("the error does not say what is needed: %v", err)
	}
	mustRun(t, opt, one(prose(0, 300)), m)
	opt.MaxCalls--
	if _, err := Run(context.Background(), opt, one(prose(0, 300)), m); !errors.As(err, &calls) {
		t.Errorf("one call less: %v", err)
	}
}

// TestHardLimit: repairs and grouping calls that were not planned for take what is
// left, and no call more.
func TestHardLimit(t *testing.T) {
	text := prose(0, 120)
	gaps := func(q Question, r Reply) (Reply, error) {
		if q.Purpose == PurposeExtract || q.Purpose == PurposeRepair {
			q.Items = q.Items[:max(1, len(q.Items)/2)]
			r.Text = honest(q)
		}
		return r, nil
	}
	for spare := range 8 {
		opt := DefaultOptions()
		opt.BatchMaxBytes, opt.Repairs = 400, 3
		first := &echo{change: gaps}
		var plan *CallsError
		opt.MaxCalls = 1
		if _, err := Run(context.Background(), opt, one(text), first); !errors.As(err, &plan) {
			t.Fatal(err)
		}
		opt.MaxCalls = plan.Batches + plan.Grouping + spare
		m := &echo{change: gaps}
		r := mustRun(t, opt, one(text), m)
		if m.calls != opt.MaxCalls || r.Report.Repairs != spare || r.Report.Covered != 120 {
			t.Errorf("%d calls of %d, %d repairs, %d covered", m.calls, opt.MaxCalls, r.Report.Repairs, r.Report.Covered)
		}
		if !strings.Contains(strings.Join(r.Report.Notes, ";"), "leaves no room") {
			t.Errorf("notes %q", r.Report.Notes)
		}
	}
	// Three statements for each sentence need more windows than were planned.
	many := &echo{change: func(q Question, r Reply) (Reply, error) {
		if q.Purpose == PurposeExtract {
			var items []string
			for _, i := range q.Items {
				words := strings.Fields(i.Text)
				for _, w := range []string{words[4], words[5], words[6]} {
					items = append(items, fmt.Sprintf(`{"text":%q,"sentences":[%q]}`, strings.Join(words[:5], " ")+" "+w+" "+strings.Join(words[5:], " ")+" "+w, i.Label))
				}
			}
			r.Text = `{"propositions":[` + strings.Join(items, ",") + `]}`
		}
		return r, nil
	}}
	opt := DefaultOptions()
	opt.ReportOnly, opt.GroupMaxTokens = true, 400
	opt.MaxCalls = 1
	var plan *CallsError
	if _, err := Run(context.Background(), opt, one(text), many); !errors.As(err, &plan) {
		t.Fatal(err)
	}
	for spare := range 4 {
		opt.MaxCalls = plan.Batches + plan.Grouping + spare
		many.calls = 0
		r := mustRun(t, opt, one(text), many)
		if many.calls > opt.MaxCalls || r.Report.Windows <= plan.Grouping || r.Report.Propositions < 360 {
			t.Errorf("%d calls of %d, %d windows, %d propositions", many.calls, opt.MaxCalls, r.Report.Windows, r.Report.Propositions)
		}
	}
}

func TestBadInput(t *testing.T) {
	for name, c := range map[string]struct {
		inputs []verify.Input
		change func(*Options)
		want   string
	}{
		"ids that repeat":       {inputs: []verify.Input{{ID: "a", Text: "x"}, {ID: "b"}, {ID: "a"}}, want: `input 3: its id "a" is also that of input 1`},
		"an id like a made one": {inputs: []verify.Input{{ID: "in-0002", Text: "x"}, {Text: "y"}}, want: `input 2: its id "in-0002" is also that of input 1`},
		"not UTF-8":             {inputs: []verify.Input{{Text: "a"}, {Text: "b\xff"}}, want: "input 2: text is not valid UTF-8: byte 0xff at byte offset 1"},
		"batch size":            {change: func(o *Options) { o.BatchMaxBytes = 0 }, want: "batch_max_bytes is 0"},
		"repairs":               {change: func(o *Options) { o.Repairs = 4 }, want: "repairs is 4; allowed is 0..3"},
		"concurrency":           {change: func(o *Options) { o.Concurrency = -1 }, want: "concurrency is -1"},
		"document id":           {change: func(o *Options) { o.DocumentID = "a\nb" }, want: "document_id"},
	} {
		opt := DefaultOptions()
		if c.change != nil {
			c.change(&opt)
		}
		if _, err := Run(context.Background(), opt, c.inputs, &echo{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestAnyOrder lets 200 batches answer after random times, eight at once, some
// with gaps that need repairs: the result is that of one call after the other.
func TestAnyOrder(t *testing.T) {
	text := prose(0, 1200)
	change := func(q Question, r Reply) (Reply, error) {
		if n := q.Items[0].Number; q.Purpose == PurposeExtract && n%3 == 0 {
			r.Text = r.Text[:len(r.Text)*2/3] // cut
		} else if q.Purpose == PurposeRepair && n%2 == 0 {
			r.Text = `{"propositions":[]}`
		}
		return r, nil
	}
	opt := DefaultOptions()
	opt.BatchMaxBytes, opt.MaxCalls = 350, 330 // fewer repairs than wanted
	opt.Concurrency = 1
	want := mustRun(t, opt, one(text), &echo{change: change})
	if want.Report.Batches < 200 || want.Report.Repairs == 0 || want.Report.Verbatim == 0 {
		t.Fatalf("%d batches, %d repairs, %d verbatim", want.Report.Batches, want.Report.Repairs, want.Report.Verbatim)
	}
	opt.Concurrency = 8
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var mu sync.Mutex
		got := mustRun(t, opt, one(text), &echo{change: change, delay: func() {
			mu.Lock()
			d := time.Duration(rng.IntN(800)) * time.Microsecond
			mu.Unlock()
			time.Sleep(d)
		}})
		if !reflect.DeepEqual(got.Chunks, want.Chunks) || !reflect.DeepEqual(got.Report, want.Report) {
			t.Fatalf("seed %d: another result than in sequence\n%+v\n%+v", seed, got.Report, want.Report)
		}
	}
}

// TestCancel ends a run in the middle: there is no result and no goroutine, and
// nothing is asked afterwards.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	var asked atomic.Int64
	m := modelFunc(func(ctx context.Context, q Question) (Reply, error) {
		if asked.Add(1) == 20 {
			cancel()
		}
		select {
		case <-ctx.Done():
			return Reply{}, ctx.Err()
		case <-time.After(time.Millisecond):
			return Reply{Text: honest(q)}, nil
		}
	})
	opt := DefaultOptions()
	opt.BatchMaxBytes, opt.Concurrency, opt.MaxCalls = 100, 8, 5000
	r, err := Run(ctx, opt, one(prose(0, 400)), m)
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("result %v, error %v", r, err)
	}
	if n := asked.Load(); n > 30 {
		t.Errorf("%d questions", n)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

type modelFunc func(context.Context, Question) (Reply, error)

func (f modelFunc) Ask(ctx context.Context, q Question) (Reply, error) { return f(ctx, q) }

func TestModelFails(t *testing.T) {
	for _, purpose := range []string{PurposeExtract, PurposeRepair, PurposeGroup, PurposeMerge} {
		broken := errors.New("provider is down")
		m := &echo{change: func(q Question, r Reply) (Reply, error) {
			switch {
			case q.Purpose == purpose:
				return Reply{}, broken
			case q.Purpose == PurposeExtract && q.Items[0].Number == 0:
				r.Text = ""
			}
			return r, nil
		}}
		opt := DefaultOptions()
		opt.GroupMaxTokens = 200 // several windows
		if r, err := Run(context.Background(), opt, one(prose(0, 120)), m); r != nil || !errors.Is(err, broken) {
			t.Errorf("%s: result %v, error %v", purpose, r, err)
		}
	}
}

func TestNoFallback(t *testing.T) {
	opt := DefaultOptions()
	opt.NoFallback = true
	for name, c := range map[string]struct {
		reply Reply
		want  string
	}{
		"refused":   {Reply{Refused: true, Text: "Sorry."}, "the model refused to answer"},
		"cut":       {Reply{Cut: true, Text: "<think>hm"}, "the answer was cut"},
		"malformed": {Reply{Text: "Sorry?"}, "no list of statements"},
		"empty":     {Reply{Text: `{"propositions":[]}`}, "an empty list"},
	} {
		m := &echo{change: func(q Question, r Reply) (Reply, error) {
			if q.Purpose == PurposeExtract || q.Purpose == PurposeRepair {
				return c.reply, nil
			}
			return r, nil
		}}
		var batch *BatchError
		if _, err := Run(context.Background(), opt, one(prose(0, 3)), m); !errors.As(err, &batch) || !strings.Contains(err.Error(), c.want) || m.purposes[PurposeRepair] != 1 {
			t.Errorf("%s: %v, calls %v", name, err, m.purposes)
		}
		with := DefaultOptions()
		r := mustRun(t, with, one(prose(0, 3)), m)
		if r.Report.Verbatim != 3 || r.Report.Covered != 3 || len(r.Report.Notes) == 0 {
			t.Errorf("%s with fallback: %+v", name, r.Report)
		}
	}
	// A gap in a usable batch is reported.
	m := &echo{change: func(q Question, r Reply) (Reply, error) {
		if q.Purpose != PurposeGroup {
			q.Items = q.Items[:1]
			r.Text = honest(q)
		}
		return r, nil
	}}
	if r := mustRun(t, opt, one(prose(0, 6)), m); r.Report.Covered != 2 || r.Report.Verbatim != 0 || !strings.Contains(strings.Join(r.Report.Notes, ";"), "4 of 6 sentences") {
		t.Errorf("gaps: %+v", r.Report)
	}
}

func TestGroupingFails(t *testing.T) {
	for name, reply := range map[string]Reply{
		"refused":     {Refused: true},
		"empty":       {},
		"cut":         {Cut: true, Text: `{"groups":[{"label":"A","ids":["P1"]}`},
		"unknown ids": {Text: `{"groups":[{"label":"A","ids":["X9","P99"]}]}`},
		"one of all":  {Text: `{"groups":[{"label":"","ids":["P2","P2"]}]}`},
	} {
		m := &echo{change: func(q Question, r Reply) (Reply, error) {
			if q.Purpose == PurposeGroup {
				return reply, nil
			}
			return r, nil
		}}
		r := mustRun(t, DefaultOptions(), one(prose(0, 12)), m)
		n := 0
		for _, c := range r.Chunks {
			n += len(c.Propositions)
			if c.Theme == "" {
				t.Errorf("%s: a chunk without a theme", name)
			}
		}
		if n != 12 || r.Report.Regrouped < 11 {
			t.Errorf("%s: %d propositions, %d regrouped", name, n, r.Report.Regrouped)
		}
	}
}

// TestWindows groups more than one call takes: themes of the parts that share a
// label, or that the merge puts together, are one.
func TestWindows(t *testing.T) {
	opt := DefaultOptions()
	opt.GroupMaxTokens = 480 // 60 propositions, 2880 bytes
	m := &echo{}
	r := mustRun(t, opt, one(prose(0, 100)), m)
	if m.purposes[PurposeGroup] != 3 || m.purposes[PurposeMerge] != 1 || r.Report.Windows != 3 {
		t.Fatalf("calls %v", m.purposes)
	}
	themes := map[string]bool{}
	for _, c := range r.Chunks {
		if themes[c.Theme] {
			t.Errorf("theme %q twice", c.Theme)
		}
		themes[c.Theme] = true
	}
	if len(themes) != 10 {
		t.Errorf("%d themes", len(themes))
	}
}

func TestOptionErrorIsTyped(t *testing.T) {
	var option *chunking.OptionError
	if err := (Options{}).Check(); !errors.As(err, &option) || option.Param != "batch_max_bytes" {
		t.Errorf("%v", err)
	}
}
