package condition

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
)

func testView() value.Map {
	return value.Map{
		"n": int64(5), "f": 2.5, "whole": 5.0, "zero": int64(0), "big": int64(1<<53 + 1), "neg": int64(-3),
		"s": "beta", "empty": "", "num": "5", "float": "2.50", "padded": " 5", "id": "007", "huge": "1e400", "word": "true", "nulls": "null",
		"yes": true, "no": false, "null": nil,
		"list": []any{int64(1), map[string]any{"k": "v"}}, "none": []any{}, "obj": map[string]any{"a b": "x", "exists": true}, "parts": value.NewStrings([]string{"p"}),
		"quote": `it's "so"`, "op": "a == b", "eq": "=1", "accent": "é", "path": `C:\dir`,
	}
}

func TestEval(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		// The path alone: false for missing, null and false.
		{"ctx.absent", false}, {"ctx.null", false}, {"ctx.no", false}, {"ctx.absent.x[0]", false},
		{"ctx.yes", true}, {"ctx.zero", true}, {"ctx.empty", true}, {"ctx.none", true}, {"ctx.obj", true}, {"ctx.parts", true}, {"ctx.word", true},
		{"  ctx.yes\t", true},

		// exists: the path resolves, null counts.
		{"ctx.null exists", true}, {"ctx.no exists", true}, {"ctx.absent exists", false}, {"ctx.list[1].k exists", true}, {"ctx.list[2] exists", false},
		{"ctx.n.x exists", false}, {"ctx.parts[0]   exists", true}, {"ctx.obj.exists", true}, {"ctx.obj.exists exists", true}, {`ctx.obj["a b"] exists`, true},

		// Selectors.
		{"ctx.list[0] == 1", true}, {`ctx["obj"]["a b"] == x`, true}, {"ctx.list[1].k == v", true}, {"ctx.parts[0] == p", true},

		// Missing or null: only != holds, and == null.
		{"ctx.absent == null", true}, {"ctx.null == null", true}, {"ctx.absent != null", false}, {"ctx.null != null", false},
		{"ctx.absent >= null", false}, {"ctx.null <= null", false}, {"ctx.null > null", false}, {"ctx.null < null", false},
		{"ctx.absent == 0", false}, {"ctx.absent != 0", true}, {"ctx.null == false", false}, {"ctx.null != false", true}, {`ctx.null == ""`, false}, {`ctx.absent != ""`, true},
		{"ctx.absent < 1", false}, {"ctx.absent >= 0", false}, {"ctx.null <= a", false}, {"ctx.null > a", false},
		{"ctx.n == null", false}, {"ctx.n != null", true}, {"ctx.no == null", false}, {"ctx.no != null", true}, {"ctx.nulls == null", false}, {"ctx.nulls != null", true}, {`ctx.nulls == "null"`, true},

		// Number with number, numerically.
		{"ctx.n == 5", true}, {"ctx.n == 5.0", true}, {"ctx.n == 50e-1", true}, {"ctx.whole == 5", true}, {"ctx.n != 5", false}, {"ctx.n != 6", true},
		{"ctx.n > 4", true}, {"ctx.n > 5", false}, {"ctx.n >= 5", true}, {"ctx.n < 5", false}, {"ctx.n <= 5", true}, {"ctx.n < 10", true}, {"ctx.f > 2", true}, {"ctx.f <= 2.5", true},
		{"ctx.neg == -3", true}, {"ctx.neg < 0", true}, {"ctx.zero == -0", true},
		{"ctx.big == 9007199254740993", true}, {"ctx.big == 9007199254740992", false}, {"ctx.big > 9007199254740992", true},
		{"ctx.n==5", true}, {"ctx.n>=5", true}, {"ctx.n   <6", true}, {"ctx.list[0]==1", true}, {"ctx.n >\t4", true},

		// A string that is a number, with an unquoted number.
		{"ctx.num == 5", true}, {"ctx.num == 5.0", true}, {"ctx.num < 10", true}, {"ctx.num > 10", false}, {"ctx.float == 2.5", true}, {"ctx.num != 5", false},
		{`ctx.num == "5"`, true}, {`ctx.num == "5.0"`, false}, {`ctx.num < "10"`, false}, {`ctx.num > "10"`, true},
		{"ctx.padded == 5", false}, {"ctx.padded != 5", true}, {"ctx.id == 7", false}, {"ctx.id == 007", true}, {"ctx.id != 7", true}, {"ctx.huge > 1", false}, {"ctx.huge != 1", true}, {"ctx.s < 5", false}, {"ctx.s != 5", true}, {"ctx.empty == 0", false},
		// ... but never a number with a quoted one.
		{`ctx.n == "5"`, false}, {`ctx.n != "5"`, true}, {`ctx.n >= "5"`, false}, {"ctx.n == abc", false}, {"ctx.n != abc", true}, {"ctx.n < abc", false},

		// Boolean: == and !=.
		{"ctx.yes == true", true}, {"ctx.yes == false", false}, {"ctx.no == false", true}, {"ctx.yes != true", false}, {"ctx.yes != false", true},
		{"ctx.yes > false", false}, {"ctx.yes >= true", false}, {"ctx.no <= true", false}, {"ctx.no < true", false},
		{"ctx.word == true", false}, {"ctx.word != true", true}, {`ctx.word == "true"`, true}, {`ctx.yes == "true"`, false}, {"ctx.yes == 1", false}, {"ctx.n == true", false}, {"ctx.n != true", true},

		// String with string: all six, by bytes.
		{"ctx.s == beta", true}, {`ctx.s == "beta"`, true}, {"ctx.s == 'beta'", true}, {"ctx.s != beta", false}, {"ctx.s == Beta", false}, {"ctx.s > alpha", true}, {"ctx.s < gamma", true},
		{"ctx.s >= beta", true}, {"ctx.s <= beta", true}, {"ctx.s > beta", false}, {"ctx.s < beta", false}, {"ctx.s > Zeta", true}, {"ctx.accent > z", true},
		{`ctx.empty == ""`, true}, {"ctx.empty == ''", true}, {"ctx.empty < a", true},

		// Literals.
		{"ctx.op == a == b", true}, {"ctx.op ==   a == b  ", true}, {`ctx.quote == "it's \"so\""`, true}, {`ctx.quote == 'it\'s "so"'`, true}, {`ctx.quote == it's "so"`, true},
		{`ctx.path == C:\dir`, true}, {`ctx.path == 'C:\dir'`, true}, {`ctx.path == 'C:\\dir'`, true}, {`ctx.path == "C:\\dir"`, true}, {`ctx.accent == "\u00e9"`, true}, {"ctx.accent == é", true},
		{"ctx.eq == =1", true}, {"ctx.eq == '=1'", true}, {"ctx.s == TRUE", false}, {"ctx.s != nil", true},

		// Any other pairing: only != holds.
		{"ctx.list == 1", false}, {"ctx.list != 1", true}, {"ctx.none == null", false}, {"ctx.none != null", true}, {"ctx.obj == true", false}, {"ctx.obj != true", true},
		{"ctx.list > 0", false}, {"ctx.list < 0", false}, {"ctx.list >= a", false}, {"ctx.parts != p", true}, {"ctx.parts == p", false}, {`ctx.obj == "{}"`, false},
	} {
		cond, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got, err := cond.Eval(testView()); err != nil || got != c.want {
			t.Errorf("%s is %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "it must start with a path such as ctx.name",
		"  ":                       "it must start with a path",
		"ctx":                      "expected a selector such as .name",
		"count > 3":                "did you mean ctx.count?",
		"ctxfoo == 1":              "it must start with a path",
		"true":                     "it must start with a path",
		"${ctx.a} == 1":            "without ${ and }",
		"5 == ctx.a":               "it must start with a path",
		"!ctx.a":                   "it must start with a path",
		"not ctx.a":                "it must start with a path",
		"ctx[0] == 1":              "the first selector must be a key",
		"ctx.":                     "at byte 5: expected a name",
		"ctx.a.":                   "at byte 7: expected a name",
		"ctx.a[01]":                "at byte 7: expected an index",
		"ctx .a":                   "expected a selector",
		"ctx == 1":                 "expected a selector",
		"ctx.a ==":                 `the literal is missing; write "" for an empty string`,
		"ctx.a >=  ":               "the literal is missing",
		"ctx.a = 1":                "after ctx.a, expected the end, exists, or one of == != >= <= > < and a literal",
		"ctx.a === 1":              "after ctx.a, expected the end",
		"ctx.a !== 1":              "after ctx.a, expected the end",
		"ctx.a <> 1":               "after ctx.a, expected the end",
		"ctx.a =< 1":               "after ctx.a, expected the end",
		"ctx.a ~= 1":               "after ctx.a, expected the end",
		"ctx.a ! = 1":              "after ctx.a, expected the end",
		"ctx.a and ctx.b":          "after ctx.a, expected the end",
		"ctx.a is null":            "for anything more use a function",
		"ctx.a existsnt":           "after ctx.a, expected the end",
		"ctx.a exists == true":     "after ctx.a, expected the end",
		`ctx["a"]exists`:           `after ctx["a"], expected the end`,
		"ctx.a EXISTS":             "after ctx.a, expected the end",
		"ctx.a-b == 1":             "after ctx.a, expected the end",
		`ctx.a == "x`:              "not closed",
		`ctx.a == "x" or ctx.b`:    "there is text after the closing quote",
		`ctx.a == "C:\dir"`:        "unknown escape",
		"ctx.a == 'x":              "has no closing quote",
		"ctx.a == 'it's'":          "has text after its closing quote",
		"ctx.a == '":               "has no closing quote",
		`ctx.a == 'x\'`:            "has no closing quote",
		"ctx.a < 1e400":            "the number 1e400 is beyond the range",
		"ctx.größe > 1":            `after ctx.gr, expected the end`,
		"ctx.a == 1\nor something": "",
	} {
		cond, err := Parse(text)
		if want == "" {
			// A line break is text like any other; the number ends nowhere.
			if err != nil || cond.want != "1\nor something" {
				t.Errorf("%q: %v, %v", text, cond, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "malformed condition ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string]string{"ctx.a.b == 1": "a", `ctx["x y"][0] exists`: "x y", "ctx.z": "z"} {
		c, err := Parse(text)
		if err != nil || !reflect.DeepEqual(c.Keys(), []string{want}) {
			t.Errorf("%s: %q, %v", text, c.Keys(), err)
		}
	}
}

// A view of a foreign host may hold plain Go values.
func TestPlainGoValues(t *testing.T) {
	view := value.Map{"n": 5, "u": uint8(7), "bad": math.NaN(), "f": func() {}}
	for text, want := range map[string]bool{"ctx.n == 5": true, "ctx.u > 6": true, "ctx.n": true, "ctx.bad exists": true} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Eval(view); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"ctx.bad > 1", "ctx.f"} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Eval(view); err == nil || !strings.Contains(err.Error(), "condition on ctx.") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzCondition checks that nothing panics, that != is the negation of ==,
// and that at most one of <, == and > holds.
func FuzzCondition(f *testing.F) {
	for _, s := range []string{
		"ctx.a", "ctx.a exists", "ctx.n == 5", `ctx["a b"][0].c != "x\n"`, "ctx.s >= 'it\\'s'", "ctx.f < -1.5e3", "ctx.a == null", "ctx.a = 1", "ctx.s == a == b",
	} {
		f.Add(s, "5")
	}
	f.Fuzz(func(t *testing.T, text, held string) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		root := c.Keys()[0]
		views := []value.Map{{}, {root: nil}, {root: held}, {root: int64(len(held))}, {root: 2.5}, {root: true}, {root: []any{held}}, {root: map[string]any{held: held}}}
		for _, view := range views {
			results := map[string]bool{}
			for _, op := range append(operators[:], c.op) {
				variant := *c
				variant.op = op
				got, err := variant.Eval(view)
				if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				results[op] = got
			}
			if results["=="] == results["!="] {
				t.Fatalf("%q with %v: == is %v and so is !=", text, view, results["=="])
			}
			n := 0
			for _, op := range []string{"<", "==", ">"} {
				if results[op] {
					n++
				}
			}
			if n > 1 || results["<"] && !results["<="] || results[">"] && !results[">="] || results["<="] && results["<"] == results["=="] || results[">="] && results[">"] == results["=="] {
				t.Fatalf("%q with %v: %v", text, view, results)
			}
		}
		if again, err := Parse(" \t" + text + "\n "); err != nil || !reflect.DeepEqual(again, c) {
			t.Fatalf("%q with blanks around it is %v, %v", text, again, err)
		}
	})
}
