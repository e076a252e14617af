package lua

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/flow"
)

// writer makes a valid flow file of random shape, one step to a statement, and
// spoils some of the statements.
type writer struct {
	r     *rand.Rand
	b     strings.Builder
	line  int
	names []string
}

func (w *writer) add(text string) (line int) {
	line = w.line
	w.b.WriteString(text + "\n")
	w.line += 1 + strings.Count(text, "\n")
	return line
}

// statement declares one step; mistake < 0 keeps it valid.
func (w *writer) statement(i, mistake int) (text, want string) {
	name := fmt.Sprintf("step%d", i)
	node, method, builder, sep := "nodes.log{ message = 'x' }", "step", "", ""
	if w.r.IntN(2) == 0 {
		sep = "\n  "
	}
	dep := ""
	if len(w.names) > 0 && w.r.IntN(2) == 0 {
		dep = w.names[w.r.IntN(len(w.names))]
		builder = fmt.Sprintf(":depends_on(%q)", dep)
	}
	if w.r.IntN(3) == 0 {
		node = "function(ctx) return { x = 1 } end"
	}
	quoted := fmt.Sprintf("%q", name)
	switch mistake {
	case 0:
		node, want = "nodes.lgo{ message = 'x' }", `no node "lgo"`
	case 1:
		node, want = "nodes.log{ mesage = 'x', message = 'y' }", "unknown parameter"
	case 2:
		node, want = "nodes.embed{ source_key = 't', provider = 'openai', batch_size = 'many' }", "batch_size"
	case 3:
		node, want = "nodes.log{ level = 'info' }", "is required"
	case 4:
		quoted, want = fmt.Sprintf("%q", name+" !"), "is not allowed"
	case 5:
		method, want = "stpe", "has no method"
	case 6:
		builder, want = builder+sep+":retries(-1)", "retries is -1"
	case 7:
		builder, want = builder+sep+":timeout(0)", "timeout is 0"
	case 8:
		builder, want = builder+sep+":depends_on('nobody')", `depends on "nobody"`
	case 9:
		builder, want = builder+sep+":depends_on(7)", "depends_on: got 7"
	case 10:
		builder, want = builder+sep+":retires(2)", "has no method"
	case 11:
		node, want = "'log'", "the handler is"
	case 12:
		node, want = "nodes.log{ message = 'x', data = { 1, { f = print } } }", fmt.Sprintf(`$.steps["step%d"].config.data[2].f`, i)
	case 13:
		node, want = "nodes.log{ message = '${ctx.a or 1}' }", "message"
	case 14:
		builder, want = builder+sep+":on_error(5)", "on_error: got 5"
	}
	w.names = append(w.names, name)
	if mistake == 4 {
		w.names[len(w.names)-1] = name + " !"
	}
	return fmt.Sprintf("flow:%s(%s,%s%s)%s", method, quoted, sep, node, builder), want
}

const mistakes = 15

// n independent mistakes give n messages, each with its place and step, and
// nothing that only follows from them.
func TestRandomMistakes(t *testing.T) {
	for seed := range uint64(150) {
		w := &writer{r: rand.New(rand.NewPCG(seed, 7)), line: 1}
		w.add("local flow = Flow.new('random')")
		type expected struct {
			line       int
			step, want string
		}
		var all []expected
		n := 3 + w.r.IntN(20)
		for i := range n {
			mistake := -1
			if w.r.IntN(3) == 0 {
				mistake = w.r.IntN(mistakes)
			}
			text, want := w.statement(i, mistake)
			line := w.add(text)
			if want != "" {
				all = append(all, expected{line, fmt.Sprintf("step%d", i), want})
			}
		}
		w.add("return flow")
		source := w.b.String()
		_, problems := flow.NewPlan(mustLoad(t, source))
		if len(problems) != len(all) {
			t.Fatalf("seed %d: %d mistakes, %d messages\n%s\n%s", seed, len(all), len(problems), listing(problems), source)
		}
		for i, e := range all {
			p := problems[i]
			if p.File != "f.lua" || p.Line != e.line || !strings.HasPrefix(p.Step, e.step) || !strings.Contains(p.String(), e.want) {
				t.Errorf("seed %d: got %s, want line %d, %s, %q\n%s", seed, p, e.line, e.step, e.want, source)
			}
		}
	}
}

// The generator's flows without a mistake are valid, so the test above counts
// mistakes and nothing else.
func TestRandomFlowsAreValid(t *testing.T) {
	for seed := range uint64(30) {
		w := &writer{r: rand.New(rand.NewPCG(seed, 9)), line: 1}
		w.add("local flow = Flow.new('random')")
		for i := range 20 {
			text, _ := w.statement(i, -1)
			w.add(text)
		}
		w.add("return flow")
		good(t, w.b.String())
	}
}

func TestFiveMistakes(t *testing.T) {
	f := mustLoad(t, `local flow = Flow.new("five")
flow:step("load", nodes.lgo{ message = "x" })
flow:step("embed", nodes.embed{ source_key = "t", provider = "openai", batch_size = 0 })
  :depends_on("load")
flow:step("embed", nodes.log{ message = "x" })
flow:step("store", nodes.log{ message = "x" }):depends_on("embd")
flow:setp("last", function(ctx) return ctx end):depends_on("store")
flow:step("after", nodes.log{ message = "x" }):depends_on("last")
return flow`)
	_, problems := flow.NewPlan(f)
	want := []string{
		`f.lua:2: step "load": there is no node "lgo"; did you mean "log"?`,
		`f.lua:3: step "embed": embed: batch_size: got 0, allowed: 1..2048 (`,
		`f.lua:5: step "embed": is declared twice, first in f.lua:3; give each step a name of its own`,
		`f.lua:6: step "store": depends on "embd", which is no step of this flow; did you mean "embed"?`,
		`f.lua:7: step "last": a flow has no method "setp"; did you mean "step"`,
	}
	got := strings.Split(strings.TrimSpace(listing(problems)), "\n")
	if len(got) != len(want) {
		t.Fatalf("got\n%s", listing(problems))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], strings.TrimSuffix(want[i], " (")) {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}
