package value

import (
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// lists holds each kind of list beside the array that it stands for.
func lists() []struct {
	name  string
	list  List
	array []any
} {
	text := "Grüße, Welt"
	return []struct {
		name  string
		list  List
		array []any
	}{
		{"no strings", NewStrings(nil), []any{}},
		{"strings", NewStrings([]string{"a", "", "é"}), []any{"a", "", "é"}},
		{"substrings", NewSubstrings(text, []Span{{9, 13}, {0, 7}, {3, 3}}), []any{"Welt", "Grüße", ""}},
		{"floats", NewFloats([]float64{1, -0.5, 1e300}), []any{1.0, -0.5, 1e300}},
		{"no vectors", NewVectors(nil, 0), []any{}},
		{"no vectors of a known dimension", NewVectors(nil, 4), []any{}},
		{"vectors", NewVectors([]float64{1, 2, 3, 4, 5, 6}, 3), []any{[]any{1.0, 2.0, 3.0}, []any{4.0, 5.0, 6.0}}},
		{"spans", NewSpans([]Span{{0, 3}, {5, 9}}), []any{
			map[string]any{"start": int64(0), "stop": int64(3)},
			map[string]any{"start": int64(5), "stop": int64(9)},
		}},
		{"spans with parents", NewParentSpans([]Span{{0, 3}, {0, 9}}, []int{1, 2}), []any{
			map[string]any{"parent": int64(1), "start": int64(0), "stop": int64(3)},
			map[string]any{"parent": int64(2), "start": int64(0), "stop": int64(9)},
		}},
		{"records", NewRecords(Column{"start_line", []int{1, 4}}, Column{"stop_line", []int{3, 5}}), []any{
			map[string]any{"start_line": int64(1), "stop_line": int64(3)},
			map[string]any{"start_line": int64(4), "stop_line": int64(5)},
		}},
		{"no records", NewRecords(), []any{}},
		{"array", Array{"x", nil, true}, []any{"x", nil, true}},
	}
}

func TestListIsAnArray(t *testing.T) {
	for _, c := range lists() {
		t.Run(c.name, func(t *testing.T) {
			if n, ok := Len(c.list); !ok || n != len(c.array) {
				t.Errorf("Len = %d, %v; want %d", n, ok, len(c.array))
			}
			for i, want := range c.array {
				got, ok := Index(c.list, i)
				if !ok || !Equal(got, want) {
					t.Errorf("element %d = %#v, want %#v", i, got, want)
				}
			}
			for _, i := range []int{-1, len(c.array)} {
				if _, ok := Index(c.list, i); ok {
					t.Errorf("Index %d is inside", i)
				}
			}
			if !Equal(c.list, c.array) || !Equal(c.array, c.list) || !Equal(c.list, c.list) {
				t.Error("the list does not equal its array")
			}
			longer := append(c.array[:len(c.array):len(c.array)], "more")
			if Equal(c.list, longer) || Equal(longer, c.list) {
				t.Error("the list equals a longer array")
			}
			if TypeName(c.list) != "array" {
				t.Errorf("TypeName = %s", TypeName(c.list))
			}
			if Size(c.list) != Size(c.array) {
				t.Errorf("Size = %d, of the array %d", Size(c.list), Size(c.array))
			}
			got, want := mustJSON(t, c.list), mustJSON(t, c.array)
			if got != want {
				t.Errorf("JSON %s, of the array %s", got, want)
			}
			if n, err := Normalize(c.list); err != nil || !Equal(n, c.array) {
				t.Errorf("Normalize = %v, %v", n, err)
			}
		})
	}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := Marshal(v)
	if err != nil {
		t.Fatalf("Marshal(%#v): %v", v, err)
	}
	return string(b)
}

func TestListsShareTheirBacking(t *testing.T) {
	source := strings.Repeat("x", 100)
	sub := NewSubstrings(source, []Span{{10, 20}})
	if unsafe.StringData(sub.Text(0)) != unsafe.StringData(source[10:]) {
		t.Error("Substrings copies the text")
	}
	if sub.Source() != source || sub.Spans()[0] != (Span{10, 20}) {
		t.Error("Substrings lost its source or spans")
	}
	data := []float64{1, 2, 3, 4}
	v := NewVectors(data, 2)
	if v.Rows() != 2 || v.Dim() != 2 || &v.Data()[0] != &data[0] || &v.Row(1)[0] != &data[2] {
		t.Error("Vectors copies its data")
	}
	if row := v.At(1).(*Floats); &row.Slice()[0] != &data[2] {
		t.Error("a vector's Floats copies its data")
	}
	if row := append(v.Row(0), 9); data[2] != 3 || row[2] != 9 {
		t.Error("appending to a row reaches into the next one")
	}
	s := NewParentSpans([]Span{{1, 2}}, []int{7})
	if s.Slice()[0] != (Span{1, 2}) || s.Parents()[0] != 7 || NewSpans(nil).Parents() != nil {
		t.Error("Spans gives other data back")
	}
	r := NewRecords(Column{"a", []int{5}})
	if c, ok := r.Column("a"); !ok || c[0] != 5 {
		t.Error("Records has no column a")
	}
	if _, ok := r.Column("b"); ok {
		t.Error("Records has a column b")
	}
}

func TestListConstructorsRefuseWhatDoesNotFit(t *testing.T) {
	for name, f := range map[string]func(){
		"vectors of a partial row":    func() { NewVectors([]float64{1, 2, 3}, 2) },
		"vectors of dimension 0":      func() { NewVectors([]float64{1}, 0) },
		"vectors of dimension -1":     func() { NewVectors(nil, -1) },
		"row outside":                 func() { NewVectors([]float64{1}, 1).Row(1) },
		"row outside of no dimension": func() { NewVectors(nil, 0).Row(0) },
		"span outside the source":     func() { NewSubstrings("abc", []Span{{1, 4}}) },
		"span turned round":           func() { NewSubstrings("abc", []Span{{2, 1}}) },
		"parents of another length":   func() { NewParentSpans([]Span{{0, 1}}, nil) },
		"columns of another length":   func() { NewRecords(Column{"a", []int{1}}, Column{"b", nil}) },
		"columns of one name":         func() { NewRecords(Column{"a", nil}, Column{"a", nil}) },
		"element outside":             func() { NewStrings(nil).At(0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// Steps read one published value side by side; the race detector watches.
func TestValuesAreReadSideBySide(t *testing.T) {
	shared := map[string]any{}
	for _, c := range lists() {
		shared[c.name] = c.list
	}
	view := Map(shared)
	want := mustJSON(t, shared)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if b, err := Marshal(shared); err != nil || string(b) != want {
				t.Errorf("Marshal = %s, %v", b, err)
			}
			if n, err := Normalize(shared); err != nil || !Equal(n, shared) || Size(n) != Size(shared) {
				t.Errorf("Normalize = %v, %v", n, err)
			}
			for _, k := range view.Keys() {
				v, _ := view.Get(k)
				_, _ = Index(v, 0)
			}
		})
	}
	wg.Wait()
}

func TestMapView(t *testing.T) {
	m := Map{"b": int64(1), "a": nil, "é": 2.0, "B": true}
	if got, want := m.Keys(), []string{"B", "a", "b", "é"}; !reflect.DeepEqual(got, want) {
		t.Errorf("Keys = %q, want %q", got, want)
	}
	if v, ok := m.Get("a"); v != nil || !ok {
		t.Error("a null is not there")
	}
	if _, ok := m.Get("c"); ok {
		t.Error("a missing key is there")
	}
}

func TestTypeName(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "null"}, {true, "boolean"}, {int64(1), "number"}, {1.5, "number"}, {"", "string"},
		{[]any{}, "array"}, {NewFloats(nil), "array"}, {map[string]any{}, "object"}, {struct{}{}, "Go type struct {}"},
	} {
		if got := TypeName(c.v); got != c.want {
			t.Errorf("TypeName(%#v) = %s, want %s", c.v, got, c.want)
		}
	}
	for _, v := range []any{nil, "abc", map[string]any{}, int64(3)} {
		if _, ok := Len(v); ok {
			t.Errorf("Len(%#v) is known", v)
		}
	}
}

func TestEqual(t *testing.T) {
	obj := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{nil, nil, true}, {nil, false, false}, {nil, []any{}, false}, {true, true, true}, {true, false, false},
		{"a", "a", true}, {"a", "b", false}, {"1", int64(1), false},
		{int64(3), 3.0, true}, {3.0, int64(3), true}, {int64(3), 3.5, false}, {0.0, math.Copysign(0, -1), true},
		{int64(1<<53 + 1), float64(1 << 53), false}, {int64(math.MaxInt64), float64(1 << 63), false},
		{int64(math.MinInt64), -float64(1 << 63), true}, {int64(0), math.NaN(), false}, {math.NaN(), math.NaN(), false},
		{[]any{}, obj(), false}, {obj(), []any{}, false}, {[]any{int64(1)}, []any{1.0}, true}, {[]any{int64(1)}, []any{int64(2)}, false},
		{obj("a", nil), obj("b", nil), false}, {obj("a", nil), obj("a", nil), true}, {obj("a", "x"), obj(), false},
		{obj("a", obj("b", []any{"c"})), obj("a", obj("b", NewStrings([]string{"c"}))), true},
		{"a", []any{}, false}, {"a", obj(), false}, {[]any{}, "a", false}, {int64(1), "1", false},
	} {
		if got := Equal(c.a, c.b); got != c.want {
			t.Errorf("Equal(%#v, %#v) = %v", c.a, c.b, got)
		}
		if got := Equal(c.b, c.a); got != c.want {
			t.Errorf("Equal(%#v, %#v) = %v", c.b, c.a, got)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b any
		want int
		ok   bool
	}{
		{int64(1), int64(2), -1, true}, {int64(2), 1.5, 1, true}, {int64(1), 1.5, -1, true}, {int64(-1), -1.5, 1, true},
		{int64(1<<53 + 1), float64(1 << 53), 1, true}, {int64(math.MaxInt64), 1e30, -1, true}, {int64(math.MinInt64), -1e30, 1, true},
		{1.0, 2.0, -1, true}, {int64(5), math.Inf(1), -1, true}, {int64(1), math.NaN(), 0, false}, {"1", int64(1), 0, false}, {int64(1), nil, 0, false},
	} {
		got, ok := CompareNumbers(c.a, c.b)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("CompareNumbers(%v, %v) = %d, %v", c.a, c.b, got, ok)
		}
		if back, ok := CompareNumbers(c.b, c.a); ok != c.ok || ok && back != -c.want {
			t.Errorf("CompareNumbers(%v, %v) = %d, %v", c.b, c.a, back, ok)
		}
	}
}

func TestSpanAndTextAccess(t *testing.T) {
	s := Span{1, 3}
	if s.Len() != 2 || s.Slice("abcd") != "bc" {
		t.Errorf("Len = %d, Slice = %q", s.Len(), s.Slice("abcd"))
	}
	items := []string{"a", "b"}
	if l := NewStrings(items); l.Text(1) != "b" || &l.Slice()[0] != &items[0] {
		t.Error("Strings gives other texts back")
	}
}
