package template

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/ironflow/ironflow/nodes/value"
)

func testView() value.Map {
	return value.Map{
		"s":      "text",
		"empty":  "",
		"evil":   `${ctx.s} \${ctx.s}`,
		"html":   `<a href="x">&</a>`,
		"n":      int64(9007199254740993),
		"f":      0.5,
		"whole":  3.0,
		"yes":    true,
		"no":     false,
		"null":   nil,
		"list":   []any{"zero", map[string]any{"k": "v"}, nil},
		"obj":    map[string]any{"b": int64(1), "a": []any{true, nil}, "odd key": "odd"},
		"parts":  value.NewStrings([]string{"p0", "p1"}),
		"odd }]": map[string]any{"\"q\"": "quoted"},
		"bad":    math.NaN(),
	}
}

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"no placeholder", "plain text", "plain text"},
		{"nothing", "", ""},
		{"string goes in raw", "<${ctx.s}>", "<text>"},
		{"raw means unescaped", "${ctx.html}", `<a href="x">&</a>`},
		{"several", "${ctx.s}${ctx.s}-${ctx.f}", "texttext-0.5"},
		{"integer is exact", "n=${ctx.n}", "n=9007199254740993"},
		{"number without fraction", "${ctx.whole}", "3"},
		{"booleans", "${ctx.yes} ${ctx.no}", "true false"},
		{"object as compact JSON, keys sorted", "${ctx.obj}", `{"a":[true,null],"b":1,"odd key":"odd"}`},
		{"array as compact JSON", "${ctx.list}", `["zero",{"k":"v"},null]`},
		{"list as an array", "${ctx.parts}", `["p0","p1"]`},
		{"zero-based index", "${ctx.list[0]} ${ctx.parts[1]}", "zero p1"},
		{"selectors", `${ctx.list[1].k} ${ctx.obj["odd key"]} ${ctx.obj["a"][0]}`, "v odd true"},
		{"bracket key first", `${ctx["s"]}`, "text"},
		{"braces and brackets in a quoted key", `${ctx["odd }]"]["\"q\""]}`, "quoted"},
		{"missing", "<${ctx.absent}>", "<>"},
		{"missing below", "<${ctx.absent.x[3]}>", "<>"},
		{"null", "<${ctx.null}>", "<>"},
		{"null element", "<${ctx.list[2]}>", "<>"},
		{"out of range", "<${ctx.list[3]}>", "<>"},
		{"wrong kind", "<${ctx.s[0]}${ctx.list.k}${ctx.obj[0]}>", "<>"},
		{"empty string", "<${ctx.empty}>", "<>"},
		{"inserted text is not scanned", "${ctx.evil}|${ctx.evil}", `${ctx.s} \${ctx.s}|${ctx.s} \${ctx.s}`},

		{"shell variables stay", "${HOME} ${TMPDIR:-/tmp} $HOME $${HOME}", "${HOME} ${TMPDIR:-/tmp} $HOME $${HOME}"},
		{"not ours", "${ctxfoo} ${ctx_a} ${ctx1} ${CTX.s} ${ ctx.s} ${ctx .s} ${ctx?a:b} ${ctx-}", "${ctxfoo} ${ctx_a} ${ctx1} ${CTX.s} ${ ctx.s} ${ctx .s} ${ctx?a:b} ${ctx-}"},
		{"unclosed foreign", "a ${ b ${", "a ${ b ${"},
		{"dollar in front", "$${ctx.s}", "$text"},
		{"ours after an unclosed foreign one", "${ ${ctx.s}", "${ text"},
		{"ours inside a foreign one", "${X:-${ctx.s}}", "${X:-text}"},
		{"loose ends", "$ { } ctx.s {ctx.s}", "$ { } ctx.s {ctx.s}"},

		{"one backslash", `\${ctx.s}`, "${ctx.s}"},
		{"two backslashes", `\\${ctx.s}`, `\\text`},
		{"three backslashes", `\\\${ctx.s}`, `\\${ctx.s}`},
		{"backslash elsewhere", `a\b \n \$ \{ ${ctx.s}\`, `a\b \n \$ \{ text\`},
		{"backslash in front of a foreign one", `\${HOME} \\${HOME} \${ctxfoo}`, `\${HOME} \\${HOME} \${ctxfoo}`},
		{"escaped, then not", `\${ctx.s}${ctx.s}\${ctx.s}`, "${ctx.s}text${ctx.s}"},
		{"inside an escaped one", `\${ctx.s ${ctx.s}}`, "${ctx.s text}"},
		{"escaped malformed", `\${ctx.a or 1} \${ctx} \${ctx.`, "${ctx.a or 1} ${ctx} ${ctx."},
		{"backslash after a placeholder", `${ctx.s}\${ctx.s}`, "text${ctx.s}"},
		{"backslash from a value does not count", `${ctx.evil}${ctx.s}`, `${ctx.s} \${ctx.s}text`},
	} {
		tpl, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := tpl.Render(testView())
		if err != nil || got != c.want {
			t.Errorf("%s: %q gives %q, %v; want %q", c.name, c.text, got, err, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text      string
		offset    int
		character int
		shown     string
		msg       string
	}{
		{"${ctx.a or 1}", 0, 1, "${ctx.a or 1}", "at character 8 of it: unexpected ' '; a placeholder holds a path and nothing else"},
		{"é ${ctx}", 3, 3, "${ctx}", "at character 6 of it: expected a selector"},
		{"${ctx", 0, 1, "${ctx", "expected a selector"},
		{"${ctx.", 0, 1, "${ctx.", "expected a name"},
		{"${ctx.a", 0, 1, "${ctx.a", "the closing } is missing"},
		{"${ctx.a[0]", 0, 1, "${ctx.a[0]", "the closing } is missing"},
		{"${ctx.s} ${ctx.a.}", 9, 10, "${ctx.a.}", "expected a name"},
		{"${ctx..a}", 0, 1, "${ctx..a}", "expected a name"},
		{"${ctx[0]}", 0, 1, "${ctx[0]}", "the first selector must be a key"},
		{"${ctx.a[01]}", 0, 1, "${ctx.a[01]}", "expected an index"},
		{"${ctx.a[-1]}", 0, 1, "${ctx.a[-1]}", "expected an index"},
		{"${ctx.a['b']}", 0, 1, "${ctx.a['b']}", "a key in double quotes"},
		{"${ctx.a[*]}", 0, 1, "${ctx.a[*]}", "expected an index"},
		{"${ctx.a:-x}", 0, 1, "${ctx.a:-x}", "unexpected ':'"},
		{"${ctx.a()}", 0, 1, "${ctx.a()}", "unexpected '('"},
		{"${ctx.a }", 0, 1, "${ctx.a }", "unexpected ' '"},
		{"${ctx.a-b}", 0, 1, "${ctx.a-b}", "unexpected '-'"},
		{"${ctx.größe}", 0, 1, "${ctx.größe}", "at character 9 of it: unexpected 'ö'"},
		{`${ctx["a}`, 0, 1, `${ctx["a}`, "not closed"},
		{`${ctx["a"x]}`, 0, 1, `${ctx["a"x]}`, "expected ] after the quoted key"},
		{`\\${ctx.a b}`, 2, 3, "${ctx.a b}", "unexpected ' '"},
		{"${ctx.a " + strings.Repeat("é", 100), 0, 1, "${ctx.a " + strings.Repeat("é", 26) + "...", "unexpected ' '"},
	} {
		tpl, err := Parse(c.text)
		var e *Error
		if !errors.As(err, &e) || tpl != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if e.Offset != c.offset || e.Character != c.character || e.Text != c.shown || !strings.Contains(e.Msg, c.msg) {
			t.Errorf("%q: %+v, want %+v", c.text, e, c)
		}
		if text := err.Error(); !strings.Contains(text, c.shown) || !strings.Contains(text, "backslash") {
			t.Errorf("%q: %s", c.text, text)
		}
	}
}

func TestProperties(t *testing.T) {
	for _, c := range []struct {
		text    string
		literal string // when it is one
		keys    []string
		single  string
	}{
		{"", "", nil, ""},
		{"plain", "plain", nil, ""},
		{`\${ctx.a} ${HOME}`, "${ctx.a} ${HOME}", nil, ""},
		{"${ctx.a}", "", []string{"a"}, "a"},
		{`${ctx["b c"][0].d}`, "", []string{"b c"}, `["b c"][0].d`},
		{" ${ctx.a}", "", []string{"a"}, ""},
		{"${ctx.z.x}${ctx.a}-${ctx.z.y}", "", []string{"a", "z"}, ""},
		{`\\${ctx.a}`, "", []string{"a"}, ""},
	} {
		tpl, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if tpl.IsLiteral() != (c.keys == nil) || tpl.Literal() != c.literal {
			t.Errorf("%q: literal %v, %q", c.text, tpl.IsLiteral(), tpl.Literal())
		}
		if got := tpl.Keys(); len(got) != len(c.keys) || c.keys != nil && !reflect.DeepEqual(got, c.keys) {
			t.Errorf("%q: keys %q", c.text, got)
		}
		if path, ok := tpl.Single(); ok != (c.single != "") || path.String() != c.single {
			t.Errorf("%q: single %s, %v", c.text, path, ok)
		}
	}
}

func TestRenderErrorNamesThePlaceholder(t *testing.T) {
	for _, text := range []string{"x ${ctx.bad}", "${ctx.bad}"} {
		tpl, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = tpl.Render(testView()); err == nil || !strings.Contains(err.Error(), "placeholder ${ctx.bad}: $: NaN") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSinglePlaceholderDoesNotCopyText(t *testing.T) {
	long := strings.Repeat("x", 1000)
	tpl, err := Parse("${ctx.long}")
	if err != nil {
		t.Fatal(err)
	}
	got, err := tpl.Render(value.Map{"long": long})
	if err != nil || unsafe.StringData(got) != unsafe.StringData(long) {
		t.Errorf("the text is copied, or %v", err)
	}
}

func TestRenderTree(t *testing.T) {
	tree := map[string]any{
		"text":            "n is ${ctx.n}",
		"typed":           "${ctx.n}",
		"array":           []any{"${ctx.list}", "${ctx.yes}", "${ctx.s}", int64(7), nil, 0.5},
		"compact":         "${ctx.parts}",
		"deep":            map[string]any{"evil": "${ctx.evil}", "kept": `\${ctx.s}`, "missing": "${ctx.absent}", "in text": "<${ctx.absent}>"},
		"${ctx.s}":        "keys stay",
		"foreign":         "${HOME}",
		"list of a value": value.NewStrings([]string{"${ctx.s}"}),
	}
	before := value.Map(tree).Keys()
	view := testView()
	got, err := RenderTree(tree, view)
	want := map[string]any{
		"text":            "n is 9007199254740993",
		"typed":           int64(9007199254740993),
		"array":           []any{view["list"], true, "text", int64(7), nil, 0.5},
		"compact":         view["parts"],
		"deep":            map[string]any{"evil": view["evil"], "kept": "${ctx.s}", "missing": nil, "in text": "<>"},
		"${ctx.s}":        "keys stay",
		"foreign":         "${HOME}",
		"list of a value": value.NewStrings([]string{"${ctx.s}"}),
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v\nwant %#v", got, err, want)
	}
	if tree["typed"] != "${ctx.n}" || tree["array"].([]any)[1] != "${ctx.yes}" || !reflect.DeepEqual(before, value.Map(tree).Keys()) {
		t.Error("the parameter was changed")
	}
	for _, v := range []any{nil, true, int64(1), 1.5} {
		if got, err := RenderTree(v, view); err != nil || got != v {
			t.Errorf("%v gives %v, %v", v, got, err)
		}
	}
	if got, err := RenderTree("${ctx.obj}", view); err != nil || !value.Equal(got, view["obj"]) {
		t.Errorf("a leaf on its own gives %v, %v", got, err)
	}
}

func TestTreeErrors(t *testing.T) {
	tree := map[string]any{
		"fine":  "${ctx.s}",
		"b c":   []any{"ok", map[string]any{"x": "${ctx.a or 1}"}},
		"after": "${ctx}",
	}
	errs := CheckTreeAll(tree)
	if len(errs) != 2 {
		t.Fatalf("%d errors: %v", len(errs), errs)
	}
	for i, want := range []string{"$.after: malformed placeholder ${ctx}", `$["b c"][2].x: malformed placeholder ${ctx.a or 1} at character 1`} {
		var pe *value.PathError
		if !errors.As(errs[i], &pe) || !strings.HasPrefix(errs[i].Error(), want) {
			t.Errorf("error %d: %v, want %s", i, errs[i], want)
		}
	}
	if err := CheckTree(tree); err == nil || err.Error() != errs[0].Error() {
		t.Errorf("CheckTree: %v", err)
	}
	if _, err := RenderTree(tree, testView()); err == nil || err.Error() != errs[0].Error() {
		t.Errorf("RenderTree: %v", err)
	}
	if err := CheckTree(map[string]any{"${ctx": "${ctx.s}", "l": value.NewStrings([]string{"${ctx"})}); err != nil {
		t.Errorf("keys or data are checked: %v", err)
	}
	if _, err := RenderTree([]any{"x ${ctx.bad}"}, testView()); err == nil || !strings.HasPrefix(err.Error(), "$[1]: placeholder ${ctx.bad}") {
		t.Errorf("a value that JSON cannot hold: %v", err)
	}
}

func TestTreeKeys(t *testing.T) {
	tree := map[string]any{"${ctx.key}": "${ctx.b.x} ${ctx.a}", "l": []any{"${ctx.b}", "${ctx.c or}", map[string]any{"x": "${ctx.z[0]}"}}, "n": int64(1)}
	if err := CheckTree(tree); err == nil || !strings.Contains(err.Error(), "first selector") && !strings.Contains(err.Error(), "unexpected") {
		t.Errorf("err = %v", err)
	}
	if got, want := TreeKeys(tree), []string{"a", "b", "z"}; !reflect.DeepEqual(got, want) {
		t.Errorf("TreeKeys = %q, want %q", got, want)
	}
	if got := TreeKeys("plain"); len(got) != 0 {
		t.Errorf("TreeKeys = %q", got)
	}
}
