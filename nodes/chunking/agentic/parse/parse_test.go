package parse

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func it(text string, labels ...string) Item { return Item{Text: text, Labels: labels} }

func TestPropositions(t *testing.T) {
	two := []Item{it("The kiln is hot.", "S1"), it("The clay is cold.", "S1", "S2")}
	const plain = `{"propositions":[{"text":"The kiln is hot.","sentences":["S1"]},{"text":"The clay is cold.","sentences":["S1","S2"]}]}`
	for _, c := range []struct {
		name, answer string
		cut          bool
		items        []Item
		state        State
	}{
		{"bare", plain, false, two, Complete},
		{"byte order mark and white space", "\ufeff\n " + plain + "\n", false, two, Complete},
		{"json fence", "```json\n" + plain + "\n```", false, two, Complete},
		{"fence without a name", "```\n" + plain + "\n```\n", false, two, Complete},
		{"prose around it", "Here are the [two] propositions you want (in {JSON}):\n" + plain + "\nAnything else?", false, two, Complete},
		{"thoughts with braces", "<think>\nShould I answer {\"propositions\": [...]}? Or {\"propositions\":[{\"text\":\"The clay burned.\",\"sentences\":[\"S9\"]}]}</think>\n" + plain, false, two, Complete},
		{"thoughts twice", "<think>a</think> <think>b</think>" + plain, false, two, Complete},
		{"thoughts whose beginning is in the question", "First, {\"text\":\"x\"} no.\n</think>\n" + plain, false, two, Complete},
		{"thoughts that never end", "<think>The kiln {\"propositions\":[{\"text\":\"The kiln is hot.\"}]}", false, nil, Cut},
		{"a closing tag inside a statement", `{"propositions":[{"text":"The tag </think> ends thoughts.","sentences":["S1"]}]}`, false, []Item{it("The tag </think> ends thoughts.", "S1")}, Complete},
		{"example before the answer", "The format is {\"propositions\":[{\"text\":\"A lamp is lit.\",\"sentences\":[\"S1\"]}]}.\nMy answer:\n```json\n" + plain + "\n```", false, two, Complete},
		{"an empty list after the answer", plain + " {\"propositions\":[]}", false, two, Complete},
		{"code fence inside the answer", "{\"propositions\":[{\"text\":\"Run ```bash\\nmake\\n``` first.\",\"sentences\":[\"S1\"]}]}", false, []Item{it("Run ```bash\nmake\n``` first.", "S1")}, Complete},
		{"trailing commas", `{"propositions":[{"text":"The kiln is hot.","sentences":["S1",],},{"text":"The clay is cold.","sentences":["S1","S2"]},],}`, false, two, Complete},
		{"missing commas", `{"propositions":[{"text":"The kiln is hot." "sentences":["S1"]} {"text":"The clay is cold.","sentences":["S1" "S2"]}]}`, false, two, Complete},
		{"list alone", `[{"text":"The kiln is hot.","sentences":["S1"]},{"text":"The clay is cold.","sentences":["S1","S2"]}]`, false, two, Complete},
		{"one object per line", "{\"text\":\"The kiln is hot.\",\"sentences\":[\"S1\"]}\n{\"text\":\"The clay is cold.\",\"sentences\":[\"S1\",\"S2\"]}\n", false, two, Complete},
		{"wrapped", `{"status":"ok","result":` + plain + `}`, false, two, Complete},
		{"other names", `{"Facts":[{"statement":"The kiln is hot.","sources":"S1"},{"claim":"The clay is cold.","ids":["S1","S2"]}]}`, false, two, Complete},
		{"numbers for labels", `[{"text":"The kiln is hot.","sentences":1},{"text":"The clay is cold.","sentences":[1,2]}]`, false, []Item{it("The kiln is hot.", "1"), it("The clay is cold.", "1", "2")}, Complete},
		{"strings", `{"propositions":["The kiln is hot.","The clay is cold."]}`, false, []Item{it("The kiln is hot."), it("The clay is cold.")}, Complete},
		{"the only string of an object", `{"propositions":[{"name":"The kiln is hot."}]}`, false, []Item{it("The kiln is hot.")}, Complete},
		{"member twice", `{"propositions":[{"text":"The kiln is hot.","sentences":["S1"]}],"propositions":[{"text":"The clay is cold.","sentences":["S1","S2"]}]}`, false, two, Complete},
		{"escapes", `["caf\u00e9 \ud83d\ude00 \"a\" \\ \/ C:\temp \Q \ud800x"]`, false, []Item{it("café 😀 \"a\" \\ / C:\temp \\Q \ufffdx")}, Complete},
		{"quotation marks that are not escaped", `{"propositions":[{"text":"She said "no" to him.","sentences":["S1"]}]}`, false, []Item{it(`She said "no" to him.`, "S1")}, Complete},
		{"line feed in a string", "[\"The kiln\nis hot.\"]", false, []Item{it("The kiln\nis hot.")}, Complete},
		{"not UTF-8", "[\"kiln \xff hot\"]", false, []Item{it("kiln \ufffd hot")}, Complete},
		{"empty list", `{"propositions":[]}`, false, nil, Complete},
		{"blank statements", `{"propositions":["", " ", 7, null, {"text":"\u0007"}, "The kiln is hot."]}`, false, []Item{it("The kiln is hot.")}, Complete},
		{"empty", "", false, nil, Malformed},
		{"empty and cut", "", true, nil, Cut},
		{"prose", "The kiln is hot.", false, nil, Malformed},
		{"cut in a statement", `{"propositions":[{"text":"The kiln is hot.","sentences":["S1"]},{"text":"The cl`, false, two[:1], Cut},
		{"cut in labels", `{"propositions":[{"text":"The kiln is hot.","sentences":["S1"]},{"text":"The clay is cold.","sentences":["S1"`, false, two[:1], Cut},
		{"cut by the server's word", plain, true, two, Cut},
		{"a mark forgotten", `{"propositions":[{"text":"The kiln is hot.","sentences":["S1"]},{"text":"bad" x,"sentences":["S2"]},{"text":"The clay is cold.","sentences":["S1","S2"]}]}`, false, two, Malformed},
		{"several strings and no name", `[{"a":"x y","b":"z"}]`, false, nil, Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Propositions(c.answer, c.cut)
			if len(got.Items)+len(c.items) > 0 && !reflect.DeepEqual(got.Items, c.items) || got.State != c.state {
				t.Errorf("got %q, %v\nwant %q, %v", got.Items, got.State, c.items, c.state)
			}
		})
	}
}

// TestCutAnywhere cuts a valid answer at every byte: what is read is the start of
// what is there, and no statement is shortened or completed.
func TestCutAnywhere(t *testing.T) {
	const answer = `<think>brief {"a":[1]}</think>{"propositions":[{"text":"The kiln is \"hot\".","sentences":["S1"]},{"text":"Caf\u00e9 [1] {x}.","sentences":["S2","S3"]},{"text":"The clay is cold.","sentences":["S4"]}]}`
	whole := Propositions(answer, false)
	if len(whole.Items) != 3 || !whole.Closed {
		t.Fatalf("whole answer: %+v", whole)
	}
	for stop := range len(answer) {
		got := Propositions(answer[:stop], false)
		if len(got.Items) > 0 && !reflect.DeepEqual(got.Items, whole.Items[:len(got.Items)]) {
			t.Fatalf("cut at %d: %q", stop, got.Items)
		}
		if got.State == Complete || got.Closed {
			t.Fatalf("cut at %d: %v, closed %v", stop, got.State, got.Closed)
		}
		if n := strings.Count(answer[:stop], `"]}`); len(got.Items) != n {
			t.Fatalf("cut at %d: %d items, %d are complete", stop, len(got.Items), n)
		}
	}
}

func TestGroups(t *testing.T) {
	want := []Group{{"Kilns", []string{"P1", "P3"}}, {"Clay", []string{"P2"}}}
	bare := func(ids ...[]string) []Group {
		var out []Group
		for _, l := range ids {
			out = append(out, Group{IDs: l})
		}
		return out
	}
	for _, c := range []struct {
		name, answer string
		groups       []Group
		state        State
	}{
		{"bare", `{"groups":[{"label":"Kilns","ids":["P1","P3"]},{"label":"Clay","ids":["P2"]}]}`, want, Complete},
		{"fence and prose", "Sure:\n```json\n[{\"theme\":\"Kilns\",\"propositions\":[\"P1\",\"P3\"]},{\"title\":\"Clay\",\"members\":[\"P2\",],}]\n```\nDone [1].", want, Complete},
		{"labels as names", `{"Kilns":["P1","P3"],"Clay":["P2"]}`, want, Complete},
		{"labels as names, wrapped", `{"groups":{"Kilns":["P1","P3"],"Clay":["P2"]}}`, want, Complete},
		{"lists of numbers", `{"groups":[[0,1],[2]]}`, bare([]string{"0", "1"}, []string{"2"}), Complete},
		{"thoughts", `<think>{"groups":[]}</think>{"groups":[{"label":"Kilns","ids":["P1","P3"]},{"label":"Clay","ids":["P2"]}]}`, want, Complete},
		{"cut", `{"groups":[{"label":"Kilns","ids":["P1","P3"]},{"label":"Clay","ids":["P2","P`, want, Cut},
		{"cut label", `{"groups":[{"label":"Kilns","ids":["P1","P3"]},{"ids":["P2"],"label":"Cl`, []Group{{"Kilns", []string{"P1", "P3"}}, {"", []string{"P2"}}}, Cut},
		{"nothing", "no groups", nil, Malformed},
		{"empty list", `{"groups":[]}`, nil, Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Groups(c.answer, false); !reflect.DeepEqual(got.Groups, c.groups) || got.State != c.state {
				t.Errorf("got %q, %v\nwant %q, %v", got.Groups, got.State, c.groups, c.state)
			}
		})
	}
}

// hostile answers of n bytes, each hard for a reader that looks twice.
func hostile(n int) map[string]string {
	return map[string]string{
		"opening brackets":   strings.Repeat("[", n),
		"opening braces":     strings.Repeat(`{"a":`, n/5),
		"quotation marks":    "[" + strings.Repeat(`"`, n),
		"quotes and blanks":  "[" + strings.Repeat(`" `, n/2),
		"quotes and letters": `["` + strings.Repeat(`a" b `, n/5),
		"blanks":             "[\"a\"" + strings.Repeat(" ", n),
		"backslashes":        `["` + strings.Repeat(`\`, n),
		"broken objects":     strings.Repeat(`{"text":"a" x `, n/14),
		"broken lists":       strings.Repeat(`["a b" x `, n/9),
		"thoughts":           strings.Repeat("<think></think>", n/15),
		"open thoughts":      strings.Repeat("<think>", n/7),
		"statements":         `{"propositions":[` + strings.Repeat(`{"text":"The kiln is hot.","sentences":["S1"]},`, n/47),
		"members":            "{" + strings.Repeat(`"a":"b",`, n/8) + "}",
		"numbers":            "[" + strings.Repeat("1,", n/2),
		"unicode escapes":    `["` + strings.Repeat(`\ud83d`, n/6),
	}
}

func TestHostileAnswers(t *testing.T) {
	answers := hostile(500_000)
	answers["statements"] = hostile(5_000_000)["statements"]
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			for _, i := range Propositions(answer, false).Items {
				if strings.TrimSpace(i.Text) == "" {
					t.Fatal("blank statement")
				}
			}
			Groups(answer, true)
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{500_000, 5_000_000} {
		for name, answer := range hostile(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(len(answer)))
				for b.Loop() {
					Propositions(answer, false)
				}
			})
		}
	}
}

func FuzzPropositions(f *testing.F) {
	f.Add(`{"propositions":[{"text":"The kiln is hot.","sentences":["S1"]},{"text":"cut`, false)
	f.Add("<think>a</think>```json\n[\"a \\ud83d\\ude00\",]\n```", true)
	f.Add(`{"a" x {"text":"b c" "ids":[1,"2"]} [{"claim":1}]`, false)
	f.Fuzz(func(t *testing.T, answer string, cut bool) {
		got := Propositions(answer, cut)
		for _, i := range got.Items {
			if isBlankText(i.Text) || !utf8.ValidString(i.Text) {
				t.Fatalf("statement %q", i.Text)
			}
		}
		if cut && got.State == Complete {
			t.Fatal("cut, but complete")
		}
		if !reflect.DeepEqual(got, Propositions(answer, cut)) {
			t.Fatal("two readings differ")
		}
		for _, g := range Groups(answer, cut).Groups {
			if len(g.IDs) == 0 || !utf8.ValidString(g.Label) {
				t.Fatalf("group %q", g)
			}
		}
	})
}
