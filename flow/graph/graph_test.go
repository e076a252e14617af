package graph

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
)

func sample() *flow.Flow {
	logNode := &nodes.Node{Spec: nodes.Spec{Name: "log"}}
	return &flow.Flow{Name: `my "flow"`, Steps: []*flow.Step{
		{Name: "read", Node: logNode},
		{Name: "_if_vip", Guards: "vip", DependsOn: []string{"read", "read"}},
		{Name: "vip", DependsOn: []string{"_if_vip"}, HasRoute: true, Route: "true", OnError: "fallback"},
		{Name: "fallback"},
		{Name: "join", DependsOn: []string{"vip", "typo"}},
	}}
}

func TestMermaid(t *testing.T) {
	var b strings.Builder
	if err := Mermaid(&b, sample()); err != nil {
		t.Fatal(err)
	}
	want := `---
title: "my \"flow\""
---
flowchart TD
  s1["read<br>log"]
  s2{"if<br>vip"}
  s3["vip<br>function"]
  s4["fallback<br>function"]
  s5["join<br>function"]
  s6(["typo<br>unknown step"])
  s1 --> s2
  s2 -->|"true"| s3
  s3 -.->|"on error"| s4
  s3 --> s5
  s6 --> s5
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestDOT(t *testing.T) {
	var b strings.Builder
	if err := DOT(&b, sample()); err != nil {
		t.Fatal(err)
	}
	want := `digraph "my \"flow\"" {
  node [shape=box];
  s1 [label="read\nlog"];
  s2 [label="if\nvip", shape=diamond];
  s3 [label="vip\nfunction"];
  s4 [label="fallback\nfunction"];
  s5 [label="join\nfunction"];
  s6 [label="typo\nunknown step", style=dashed];
  s1 -> s2;
  s2 -> s3 [label="true"];
  s3 -> s4 [label="on error", style=dashed];
  s3 -> s5;
  s6 -> s5;
}
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// Each line that Mermaid or DOT may consist of; a name that breaks out of its
// quotes makes a line of another form.
var (
	mermaidLine = regexp.MustCompile(`^(---|title: "([^"\\]|\\.)*"|flowchart TD|  s\d+(\["[^"]*"\]|\{"[^"]*"\}|\(\["[^"]*"\]\))|  s\d+ -\.?->?>?(\|"[^"]*"\|)? s\d+)$`)
	dotLine     = regexp.MustCompile(`^(digraph "([^"\\]|\\.)*" \{|  node \[shape=box\];|  s\d+ \[label="([^"\\]|\\.)*"(, (shape|style)=\w+)?\];|  s\d+ -> s\d+( \[(label="([^"\\]|\\.)*"(, )?)?(style=dashed)?\])?;|\})$`)
)

func check(t *testing.T, f *flow.Flow) {
	t.Helper()
	var m, d strings.Builder
	if err := Mermaid(&m, f); err != nil {
		t.Fatal(err)
	}
	if err := DOT(&d, f); err != nil {
		t.Fatal(err)
	}
	for text, form := range map[string]*regexp.Regexp{m.String(): mermaidLine, d.String(): dotLine} {
		for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if !form.MatchString(line) {
				t.Fatalf("a name breaks the line %q", line)
			}
		}
	}
	if strings.ContainsAny(strings.ReplaceAll(m.String()[strings.Index(m.String(), "flowchart"):], "<br>", ""), "<&`*") {
		t.Fatalf("markup in\n%s", m.String())
	}
}

func hostile(name, route, title string) *flow.Flow {
	return &flow.Flow{Name: title, Steps: []*flow.Step{
		{Name: name, OnError: route},
		{Name: "b", DependsOn: []string{name, route}, HasRoute: true, Route: route},
		{Name: "c", Guards: name, Broken: true},
	}}
}

func TestNamesAreEscaped(t *testing.T) {
	for _, s := range []string{`a"b`, `a\`, `a\"b`, "a\nb", "a\r\n---", "];", `"]; s9 -> s9`, "<script>", "&quot;", "#quot;", "`x`", "*b*", "a|b", "end", "é中😀", "\xff", "\u2028", ""} {
		check(t, hostile(s, s, s))
	}
}

func FuzzNames(f *testing.F) {
	f.Add("a", `"]`, "t\n---")
	f.Fuzz(func(t *testing.T, name, route, title string) { check(t, hostile(name, route, title)) })
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrors(t *testing.T) {
	if err := Mermaid(broken{}, sample()); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if err := DOT(broken{}, sample()); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}
