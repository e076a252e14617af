package value

import (
	"reflect"
	"strings"
	"testing"
)

func key(k string) Selector { return Selector{Key: k} }
func at(i int) Selector     { return Selector{Index: i, IsIndex: true} }

func TestParsePath(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Selector
		show string // when it differs from text
	}{
		{"a", []Selector{key("a")}, ""},
		{"http_data.items[0].text", []Selector{key("http_data"), key("items"), at(0), key("text")}, ""},
		{"a[0][12]", []Selector{key("a"), at(0), at(12)}, ""},
		{`["odd key"].b`, []Selector{key("odd key"), key("b")}, ""},
		{`a["b"]["c.d"]`, []Selector{key("a"), key("b"), key("c.d")}, `a.b["c.d"]`},
		{`["\u00e9\n\"]"]`, []Selector{key("é\n\"]")}, `["é\n\"]"]`},
		{`[""]`, []Selector{key("")}, ""},
		{`["7"]`, []Selector{key("7")}, ""},
		{"_a9.B_", []Selector{key("_a9"), key("B_")}, ""},
		{"ctx.a", []Selector{key("ctx"), key("a")}, ""},
	} {
		p, err := ParsePath(c.text)
		if err != nil || !reflect.DeepEqual(p.Selectors, c.want) {
			t.Errorf("%s: %v, %v", c.text, p.Selectors, err)
			continue
		}
		show := c.show
		if show == "" {
			show = c.text
		}
		if p.String() != show || p.Root() != c.want[0].Key {
			t.Errorf("%s: shown as %s with root %q", c.text, p, p.Root())
		}
	}
	if (Path{}).Root() != "" {
		t.Error("the zero path has a root")
	}
	for text, want := range map[string]string{"a[0]": "ctx.a[0]", `["a b"].c`: `ctx["a b"].c`} {
		if p, err := ParsePath(text); err != nil || p.InContext() != want {
			t.Errorf("%s is %s in context, %v", text, p.InContext(), err)
		}
	}
}

func TestParsePathErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "at byte 1: expected a name",
		".a":                      "at byte 1: expected a name",
		"a.":                      "at byte 3: expected a name",
		"a..b":                    "at byte 3: expected a name",
		"a.0":                     "at byte 3: expected a name",
		"9a":                      "at byte 1: expected a name",
		"é":                       "at byte 1: expected a name",
		"a b":                     "at byte 2: expected ., [ or the end",
		"a ":                      "at byte 2",
		" a":                      "at byte 1",
		"a-b":                     "at byte 2: expected ., [ or the end",
		"[0]":                     "the first selector must be a key, not an index",
		"a[]":                     "expected an index (0, 1, 2, ... without sign or leading zero)",
		"a[01]":                   "at byte 3: expected an index",
		"a[-1]":                   "expected an index",
		"a[+1]":                   "expected an index",
		"a[ 1]":                   "expected an index",
		"a[1":                     "expected ]",
		"a[1 ]":                   "at byte 4: expected ]",
		"a[1.5]":                  "expected ]",
		"a[*]":                    "expected an index",
		"a['b']":                  "expected an index (0, 1, 2, ... without sign or leading zero) or a key in double quotes",
		"a[":                      "expected an index",
		`a["b]`:                   "the quoted key is no JSON string",
		`a["\q"]`:                 "unknown escape",
		`a["b"`:                   "expected ] after the quoted key",
		`a["b" ]`:                 "at byte 6: expected ] after the quoted key",
		`a["\ud800"]`:             "surrogate",
		"a[99999999999999999999]": "the index is too large",
	} {
		_, err := ParsePath(text)
		checkErr(t, text, err, want)
	}
}

func TestScanSelectorsStops(t *testing.T) {
	p, n, err := ScanSelectors(`.a["b"][0] == 1`)
	if err != nil || n != 10 || p.String() != "a.b[0]" {
		t.Errorf("%s, %d, %v", p, n, err)
	}
	if _, n, err := ScanSelectors(".a.b[x]"); err == nil || n != 5 || !strings.HasPrefix(err.Error(), "expected an index") {
		t.Errorf("the mistake is at %d, %v", n, err)
	}
	for _, s := range []string{"", "a", " .a"} {
		if _, n, err := ScanSelectors(s); err == nil || n != 0 {
			t.Errorf("%q: %d, %v", s, n, err)
		}
	}
}

func pathView() Map {
	return Map{
		"doc":         map[string]any{"items": []any{"zero", map[string]any{"text": "one"}}, "none": nil, "": "empty key"},
		"parts":       NewStrings([]string{"p0", "p1"}),
		"spans":       NewSpans([]Span{{3, 5}}),
		"vectors":     NewVectors([]float64{1, 2, 3, 4}, 2),
		"doc.items":   "the key wins",
		"a b":         true,
		"_private":    int64(1),
		"text":        "abc",
		"9 not a [0]": "odd",
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		path  string
		want  any
		found bool
		why   string
	}{
		{"doc.items[0]", "zero", true, ""},
		{"doc.items[1].text", "one", true, ""},
		{`doc[""]`, "empty key", true, ""},
		{"doc.none", nil, true, ""},
		{"parts[1]", "p1", true, ""},
		{"spans[0].stop", int64(5), true, ""},
		{"vectors[1][0]", 3.0, true, ""},
		{`["a b"]`, true, true, ""},
		{"absent", nil, false, `the context has no key "absent"; it has "9 not a [0]", "a b", "doc", "doc.items", "parts", "spans", "text", "vectors"`},
		{"ctx.doc", nil, false, "write the path without ctx."},
		{"ctx", nil, false, `the context has no key "ctx"; it has`},
		{"doc.items[2]", nil, false, "doc.items has 2 elements, so there is no index 2 (counted from 0)"},
		{"doc.itms[0]", nil, false, `doc has no key "itms"; it has "", "items", "none"`},
		{"doc.none.x", nil, false, `doc.none is null, which has no key "x"`},
		{"doc[0]", nil, false, "doc is an object, which has no index 0"},
		{"parts.x", nil, false, `parts is an array, which has no key "x"`},
		{"text[0]", nil, false, "text is a string, which has no index 0"},
		{"text.x.y[3]", nil, false, `text is a string, which has no key "x"`},
	} {
		p, err := ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		got, found := Lookup(pathView(), p)
		if found != c.found || !Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.path, got, found)
		}
		why := p.Explain(pathView())
		if (why == "") != found || !strings.Contains(why, c.why) {
			t.Errorf("%s: explained as %q, want %q", c.path, why, c.why)
		}
	}
	if _, ok := Lookup(pathView(), Path{}); ok || (Path{}).Explain(pathView()) == "" {
		t.Error("the zero path is found")
	}
}

func TestExplainIsShort(t *testing.T) {
	many := Map{}
	for i := range 100 {
		many[strings.Repeat("k", i+1)] = nil
	}
	if why := (Path{[]Selector{key("x")}}).Explain(many); !strings.Contains(why, "and 88 more") {
		t.Error(why)
	}
	if why := (Path{[]Selector{key("x")}}).Explain(Map{"_p": nil}); !strings.HasSuffix(why, "it has no keys") {
		t.Error(why)
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		source string
		want   any
		found  bool
		err    string
	}{
		{"doc.items", "the key wins", true, ""},
		{"doc.items[0]", "zero", true, ""},
		{"9 not a [0]", "odd", true, ""},
		{"a b", true, true, ""},
		{"doc.none", nil, true, ""},
		{"nothing", nil, false, ""},
		{"no such key", nil, false, `"no such key" is no path, at byte 3`},
	} {
		got, found, err := Resolve(pathView(), c.source)
		checkErr(t, c.source, err, c.err)
		if found != c.found || !Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.source, got, found)
		}
	}
}
