package value

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestAsStrings(t *testing.T) {
	shared := []string{"a", "b"}
	if got, err := AsStrings(NewStrings(shared)); err != nil || &got[0] != &shared[0] {
		t.Errorf("a Strings list is copied, or %v", err)
	}
	for _, c := range []struct {
		name string
		v    any
		want []string
		err  string
	}{
		{"array", []any{"a", "b"}, []string{"a", "b"}, ""},
		{"substrings", NewSubstrings("abc", []Span{{1, 3}}), []string{"bc"}, ""},
		{"empty array", []any{}, []string{}, ""},
		{"empty object is an empty array", map[string]any{}, []string{}, ""},
		{"object", map[string]any{"a": "b"}, nil, "expected an array of strings, got an object"},
		{"string", "a", nil, "got a string"},
		{"no context value", 1.5i, nil, "got Go type complex128"},
		{"null", nil, nil, "got null"},
		{"third is a number", []any{"a", "b", int64(1)}, nil, "element 3 is a number, expected a string"},
		{"first is null", []any{nil}, nil, "element 1 is null"},
		{"numbers", NewFloats([]float64{1}), nil, "element 1 is a number"},
	} {
		got, err := AsStrings(c.v)
		checkErr(t, c.name, err, c.err)
		if c.err == "" && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func checkErr(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && err == nil:
		t.Errorf("%s: no error, want %q", name, want)
	case want != "" && !strings.Contains(err.Error(), want):
		t.Errorf("%s: error %q, want %q in it", name, err, want)
	}
}

func TestAsFloatsAndVectors(t *testing.T) {
	shared := []float64{1, 2}
	if got, err := AsFloats(NewFloats(shared)); err != nil || &got[0] != &shared[0] {
		t.Errorf("a Floats list is copied, or %v", err)
	}
	got, err := AsFloats([]any{int64(1), 2.5})
	if err != nil || !reflect.DeepEqual(got, []float64{1, 2.5}) {
		t.Errorf("AsFloats = %v, %v", got, err)
	}
	_, err = AsFloats([]any{int64(1<<53 + 1)})
	checkErr(t, "inexact", err, "element 1 is an integer beyond +-2^53")
	_, err = AsFloats([]any{1.0, "2"})
	checkErr(t, "text", err, "element 2 is a string, expected a number")
	_, err = AsFloats(true)
	checkErr(t, "boolean", err, "got a boolean")

	m := NewVectors(shared, 1)
	if got, err := AsVectors(m); err != nil || got != m {
		t.Errorf("Vectors is copied, or %v", err)
	}
	for _, c := range []struct {
		name      string
		v         any
		rows, dim int
		err       string
	}{
		{"arrays", []any{[]any{int64(1), 2.0}, NewFloats([]float64{3, 4})}, 2, 2, ""},
		{"none", []any{}, 0, 0, ""},
		{"empty Lua table", map[string]any{}, 0, 0, ""},
		{"another dimension", []any{[]any{1.0}, []any{1.0, 2.0}}, 0, 0, "vector 2 has 2 numbers, expected 1"},
		{"no dimension", []any{[]any{}}, 0, 0, "vector 1 has 0 numbers"},
		{"second is text", []any{[]any{1.0}, "x"}, 0, 0, "vector 2: expected an array, got a string"},
		{"text inside", []any{[]any{1.0}, []any{"x"}}, 0, 0, "vector 2: element 1 is a string"},
		{"no array", "x", 0, 0, "expected an array of vectors, got a string"},
	} {
		got, err := AsVectors(c.v)
		checkErr(t, c.name, err, c.err)
		if c.err == "" && err == nil && (got.Rows() != c.rows || got.Dim() != c.dim || !Equal(got, c.v) && c.rows > 0) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

type (
	named  string
	masked string
)

func (masked) String() string { return "***" }

func TestNormalize(t *testing.T) {
	seven, text := 7, "x"
	var none *int
	for _, c := range []struct {
		name string
		in   any
		want any
	}{
		{"null", nil, nil}, {"boolean", true, true}, {"string", "é", "é"},
		{"int", 5, int64(5)}, {"int8", int8(-5), int64(-5)}, {"uint64", uint64(math.MaxInt64), int64(math.MaxInt64)},
		{"float32", float32(0.5), 0.5}, {"named string", named("a"), "a"},
		{"pointer", &seven, int64(7)}, {"pointer to text", &text, "x"}, {"nil pointer", none, nil},
		{"json integer", json.Number("9223372036854775807"), int64(math.MaxInt64)}, {"json float", json.Number("1.50"), 1.5},
		{"strings", []string{"a"}, NewStrings([]string{"a"})}, {"floats", []float64{1}, NewFloats([]float64{1})},
		{"ints", []int{1, 2}, []any{int64(1), int64(2)}}, {"array type", [2]bool{true, false}, []any{true, false}},
		{"map of strings", map[string]string{"a": "b"}, map[string]any{"a": "b"}},
		{"map of named keys", map[named]int{"a": 1}, map[string]any{"a": int64(1)}},
		{"nil array", []any(nil), []any{}}, {"nil map", map[string]any(nil), map[string]any{}},
		{"nested", map[string]any{"a": []any{1, []string{"x"}, map[string]int{"n": 2}}},
			map[string]any{"a": []any{int64(1), NewStrings([]string{"x"}), map[string]any{"n": int64(2)}}}},
		{"maps", []map[string]any{{"a": 1}}, []any{map[string]any{"a": int64(1)}}},
		{"list of plain values", Array{1, []any{"x"}}, []any{int64(1), []any{"x"}}},
	} {
		got, err := Normalize(c.in)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %#v, %v; want %#v", c.name, got, err, c.want)
		}
	}
}

func TestNormalizeKeepsAndNeverChanges(t *testing.T) {
	inner := []any{"a", int64(1)}
	in := map[string]any{"list": inner, "n": 1.5}
	got, err := Normalize(in)
	if err != nil || reflect.ValueOf(got).Pointer() != reflect.ValueOf(in).Pointer() {
		t.Errorf("a context value is copied, or %v", err)
	}
	mixed := map[string]any{"keep": inner, "change": []any{"x", 2}}
	got, err = Normalize(mixed)
	if err != nil {
		t.Fatal(err)
	}
	if mixed["change"].([]any)[1] != 2 {
		t.Error("the argument was changed")
	}
	if out := got.(map[string]any); &out["keep"].([]any)[0] != &inner[0] || out["change"].([]any)[1] != int64(2) {
		t.Errorf("got %#v", got)
	}
}

func TestNormalizeErrors(t *testing.T) {
	cycle := map[string]any{}
	cycle["self"] = cycle
	for _, c := range []struct {
		name string
		in   any
		path string
		msg  string
	}{
		{"NaN", math.NaN(), "$", "NaN is no JSON number"},
		{"infinity, one-based position", map[string]any{"a": []any{1, 2, math.Inf(-1)}}, "$.a[3]", "-Inf"},
		{"float32 infinity", []any{float32(math.Inf(1))}, "$[1]", "+Inf"},
		{"NaN in floats", []any{[]float64{0, math.NaN()}}, "$[1][2]", "NaN"},
		{"NaN in vectors", map[string]any{"v": NewVectors([]float64{0, 0, 0, math.NaN()}, 2)}, "$.v[2][2]", "NaN"},
		{"text", map[string]any{"odd key": "ab\xff"}, `$["odd key"]`, "not valid UTF-8 (first bad byte at 3)"},
		{"list of texts", []string{"a", "\xc3"}, "$[2]", "UTF-8"},
		{"cut rune", NewSubstrings("é", []Span{{0, 1}}), "$[1]", "UTF-8"},
		{"named text", named("\xff"), "$", "UTF-8"},
		{"key", []any{map[string]any{"\xff": 1}}, `$[1]["\xff"]`, "the key is not valid UTF-8"},
		{"uint64", uint64(1 << 63), "$", "beyond 2^63-1"},
		{"json.Number", json.Number("1e400"), "$", "json.Number"},
		{"json.Number of blanks", json.Number(" 1"), "$", "json.Number"},
		{"bytes", []any{[]byte("x")}, "$[1]", "base64"},
		{"raw JSON", json.RawMessage("1"), "$", "json.RawMessage is no context value"},
		{"struct", struct{ A int }{1}, "$", "is no context value; allowed are"},
		{"time", map[string]any{"t": time.Time{}}, "$.t", "time.Time is no context value; convert it"},
		{"duration", time.Second, "$", "time.Duration"},
		{"array of bytes", [2]byte{1, 2}, "$", "base64"},
		{"function", []any{func() {}}, "$[1]", "func()"},
		{"channel", make(chan int), "$", "chan int"},
		{"map of numbers", map[int]string{1: "a"}, "$", "object keys must be strings"},
		{"cycle", cycle, "$.self.self.self", "inside one another"},
	} {
		_, err := Normalize(c.in)
		var pe *PathError
		if !errors.As(err, &pe) {
			t.Errorf("%s: %v is no PathError", c.name, err)
			continue
		}
		if !strings.HasPrefix(pe.Path, c.path) || c.name != "cycle" && pe.Path != c.path || !strings.Contains(pe.Msg, c.msg) {
			t.Errorf("%s: %q, want %s: ...%s", c.name, err, c.path, c.msg)
		}
		_, err = Marshal(c.in)
		if !errors.As(err, &pe) || c.name != "cycle" && (pe.Path != c.path || !strings.Contains(pe.Msg, c.msg)) {
			t.Errorf("%s: Marshal gives %v", c.name, err)
		}
	}
}

// squares is a List of some other package.
type squares struct{ n int }

func (l squares) Len() int     { return l.n }
func (l squares) At(i int) any { return int64(i * i) }

// halves gives back what is no context value: a plain int from the third on.
type halves struct{ n int }

func (l halves) Len() int { return l.n }
func (l halves) At(i int) any {
	if i >= 2 {
		return i * 2
	}
	return "early"
}

func TestListsOfOtherPackages(t *testing.T) {
	if n, err := Normalize(squares{4}); err != nil || n != any(squares{4}) {
		t.Errorf("a proper list becomes %#v, %v", n, err)
	}
	if got := mustJSON(t, squares{4}); got != "[0,1,4,9]" || Size(squares{4}) != 32 {
		t.Errorf("%s, size %d", got, Size(squares{4}))
	}
	n, err := Normalize(map[string]any{"l": halves{4}})
	want := map[string]any{"l": []any{"early", "early", int64(4), int64(6)}}
	if err != nil || !reflect.DeepEqual(n, want) {
		t.Errorf("a list of plain values becomes %#v, %v", n, err)
	}
	if got := mustJSON(t, halves{3}); got != `["early","early",4]` {
		t.Error(got)
	}
}

func TestEndlessPointers(t *testing.T) {
	var p any
	p = &p
	_, err := Normalize(p)
	checkErr(t, "pointer to itself", err, "contains itself")
}

func TestNormalizeNeverUnmasks(t *testing.T) {
	_, err := Normalize(map[string]any{"key": masked("hunter2")})
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "$.key") {
		t.Errorf("err = %v", err)
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		v    any
		want int64
	}{
		{nil, 0}, {true, 1}, {int64(1), 8}, {1.5, 8}, {"é", 2}, {[]any{"abc", 1.0}, 11},
		{map[string]any{"key": "value"}, 8}, {NewVectors(make([]float64, 12), 4), 96},
	} {
		if got := Size(c.v); got != c.want {
			t.Errorf("Size(%#v) = %d, want %d", c.v, got, c.want)
		}
	}
}
