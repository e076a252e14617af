package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestMarshal(t *testing.T) {
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"null", nil, `null`}, {"true", true, `true`}, {"false", false, `false`},
		{"integers are exact", []any{int64(math.MaxInt64), int64(math.MinInt64), int64(1<<53 + 1)}, `[9223372036854775807,-9223372036854775808,9007199254740993]`},
		{"no HTML escaping", `<a href="x">&</a>`, `"<a href=\"x\">&</a>"`},
		{"line separators stay", "\u2028\u2029", "\"\u2028\u2029\""},
		{"escapes", "\"\\/\b\f\n\r\t\x00\x1f\x7f", `"\"\\/\b\f\n\r\t\u0000\u001f` + "\x7f\""},
		{"beyond the BMP", "a\U0001F600é", "\"a\U0001F600é\""},
		{"keys sorted by bytes", map[string]any{"b": nil, "a": nil, "B": nil, "é": nil, "": nil, "a\n": nil}, `{"":null,"B":null,"a":null,"a\n":null,"b":null,"é":null}`},
		{"empty", []any{[]any{}, map[string]any{}, []any(nil), map[string]any(nil)}, `[[],{},[],{}]`},
		{"vectors", NewVectors([]float64{1, 2.5, -3, 1e-7}, 2), `[[1,2.5],[-3,1e-7]]`},
		{"plain Go values", map[string]any{"n": 5, "s": []string{"<"}, "m": map[string]int{"z": 1, "a": 2}}, `{"m":{"a":2,"z":1},"n":5,"s":["<"]}`},
	} {
		if got := mustJSON(t, c.v); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		var b bytes.Buffer
		if err := WriteJSON(&b, c.v); err != nil || b.String() != c.want {
			t.Errorf("%s: WriteJSON %s, %v", c.name, b.String(), err)
		}
		if got, err := AppendJSON([]byte("x="), c.v); err != nil || string(got) != "x="+c.want {
			t.Errorf("%s: AppendJSON %s, %v", c.name, got, err)
		}
	}
}

// Each text is what reads back as the same float64; the form depends on
// whether a reader may take it for an integer.
func TestFloats(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {3, "3"}, {-3, "-3"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"},
		{1e15, "1000000000000000"}, {1 << 53, "9007199254740992"}, {-(1 << 53), "-9007199254740992"},
		{1<<53 + 2, "9.007199254740994e+15"}, {1 << 60, "1.152921504606847e+18"}, {1e21, "1e+21"}, {-1e300, "-1e+300"},
		{1e-6, "0.000001"}, {1e-7, "1e-7"}, {-1.5e-9, "-1.5e-9"}, {1.5e-10, "1.5e-10"}, {5e-324, "5e-324"},
		{math.MaxFloat64, "1.7976931348623157e+308"}, {2251799813685248.5, "2251799813685248.5"}, {123456.789, "123456.789"},
	} {
		got := mustJSON(t, c.f)
		if got != c.want {
			t.Errorf("%g is written %s, want %s", c.f, got, c.want)
		}
		back, err := ParseJSON(got)
		if err != nil || !Equal(back, c.f) {
			t.Errorf("%s reads back as %v, %v", got, back, err)
		}
		if math.Abs(c.f) > 1<<53 {
			if _, ok := back.(float64); !ok {
				t.Errorf("%s reads back as %T", got, back)
			}
		}
		var std float64
		if err := json.Unmarshal([]byte(got), &std); err != nil || std != c.f || math.Signbit(std) != math.Signbit(c.f) {
			t.Errorf("%s is %v for encoding/json", got, std)
		}
	}
}

func TestMarshalIndent(t *testing.T) {
	v := map[string]any{"b": []any{int64(1), map[string]any{"x": "y"}, []any{}, map[string]any{}}, "a": NewFloats([]float64{1, 2})}
	got, err := MarshalIndent(v, "  ")
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.MarshalIndent(map[string]any{"b": v["b"], "a": []any{1, 2}}, "", "  ")
	if err != nil || string(got) != string(want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	var b bytes.Buffer
	if err := WriteJSONIndent(&b, v, "  "); err != nil || b.String() != string(want) {
		t.Errorf("WriteJSONIndent %s, %v", b.String(), err)
	}
}

func TestAppendJSONKeepsDstOnError(t *testing.T) {
	dst := []byte("keep")
	got, err := AppendJSON(dst, []any{int64(1), math.NaN()})
	if string(got) != "keep" || err == nil {
		t.Errorf("%s, %v", got, err)
	}
}

// limited counts what it is given and fails after n bytes.
type limited struct {
	n, largest, total int
}

var errFull = errors.New("no space left")

func (l *limited) Write(p []byte) (int, error) {
	l.largest = max(l.largest, len(p))
	l.total += len(p)
	if l.total > l.n {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteJSONStreams(t *testing.T) {
	big := map[string]any{
		"floats":  NewVectors(make([]float64, 300000), 300),
		"parts":   NewStrings(strings.Split(strings.Repeat("some words\n ", 20000), " ")),
		"escapes": strings.Repeat("\n", 200000),
		"array":   make([]any, 100000),
	}
	w := &limited{n: 1 << 30}
	if err := WriteJSON(w, big); err != nil {
		t.Fatal(err)
	}
	if want := len(mustJSON(t, big)); w.total != want {
		t.Errorf("%d bytes written, want %d", w.total, want)
	}
	if w.largest > 2*flushSize {
		t.Errorf("a piece of %d bytes was gathered", w.largest)
	}
	for _, n := range []int{0, 100, 70000, 1000000} {
		if err := WriteJSON(&limited{n: n}, big); err != errFull {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	for _, v := range []any{
		map[string]any{strings.Repeat("k", flushSize): nil},
		map[string]any{"k": strings.Repeat("x", flushSize-5)},
		strings.Repeat("\n", flushSize),
		NewFloats(make([]float64, flushSize)),
	} {
		if err := WriteJSON(&limited{}, v); err != errFull {
			t.Errorf("%T: %v", v, err)
		}
	}
	if _, err := MarshalIndent([]any{math.NaN()}, " "); err == nil {
		t.Error("MarshalIndent writes NaN")
	}
	if err := WriteJSON(&limited{}, strings.Repeat("x", flushSize)); err != errFull {
		t.Errorf("long text: %v", err)
	}
}

func TestWriteJSONLongText(t *testing.T) {
	s := strings.Repeat("a", 3*flushSize) + "\"" + strings.Repeat("b", flushSize+1)
	var b bytes.Buffer
	if err := WriteJSON(&b, []any{"x", s, "y"}); err != nil {
		t.Fatal(err)
	}
	if b.String() != mustJSON(t, []any{"x", s, "y"}) {
		t.Error("WriteJSON differs from Marshal")
	}
}

func TestWriteJSONErrorNamesThePlace(t *testing.T) {
	err := WriteJSON(io.Discard, map[string]any{"a": []any{"ok", map[string]any{"b c": "\xff"}}})
	checkErr(t, "nested", err, `$.a[2]["b c"]: the string is not valid UTF-8`)
}

func TestDepth(t *testing.T) {
	nest := func(n int) any {
		var v any = []any{}
		for range n - 1 {
			v = []any{v}
		}
		return v
	}
	if _, err := Marshal(nest(MaxDepth)); err != nil {
		t.Errorf("MaxDepth levels: %v", err)
	}
	if _, err := Normalize(nest(MaxDepth)); err != nil {
		t.Errorf("MaxDepth levels: %v", err)
	}
	_, err := Marshal(nest(MaxDepth + 1))
	checkErr(t, "one more", err, "more than 1000")
	_, err = Normalize(nest(MaxDepth + 1))
	checkErr(t, "one more", err, "more than 1000")
	_, err = Marshal(map[string]any{"a": nest(MaxDepth)})
	checkErr(t, "object around it", err, "more than 1000")

	if _, err := ParseJSON(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)); err != nil {
		t.Errorf("MaxDepth levels: %v", err)
	}
	_, err = ParseJSON(strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1))
	checkErr(t, "parse one more", err, "column 1001 (byte offset 1000): more than 1000")
	_, err = ParseJSON(strings.Repeat("[", 5000000))
	checkErr(t, "parse", err, "more than 1000 arrays and objects inside one another")
	_, err = ParseJSON(strings.Repeat(`{"a":[`, MaxDepth))
	checkErr(t, "parse", err, "more than 1000")
	if _, err := ParseJSON("[" + strings.Repeat("[{}],", 3000) + "0]"); err != nil {
		t.Errorf("closed levels still count: %v", err)
	}
}
