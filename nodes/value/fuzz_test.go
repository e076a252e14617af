package value

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParseJSON checks validity and values against encoding/json, and that
// what was parsed survives being written and parsed again.
func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{
		`null`, `{"a":[1,2.5,-0,1e5,"x\u00e9\ud83d\ude00"],"b":{}}`, `[9223372036854775808, 1e400]`, `"\ud800"`, "\"\xff\"", `[1,]`, ` {"a":1,"a":2} `,
		`"\"`, `[[[[]]]]`, "\ufeff1", `-`, `1.`, `"\u2028"`, `{"":0}`, `12345678901234567890e-5`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON(text)
		fromString, stringErr := ParseJSON(string(text))
		if (err == nil) != (stringErr == nil) || err == nil && !Equal(v, fromString) {
			t.Fatalf("bytes give %v, %v; the string %v, %v", v, err, fromString, stringErr)
		}
		std, stdErr := standard(text)
		if err != nil {
			// Only what we refuse on purpose may be valid elsewhere.
			if stdErr == nil && utf8.Valid(text) && !refusedOnPurpose(err) {
				t.Fatalf("%q: %v, but encoding/json reads it", text, err)
			}
			return
		}
		if stdErr != nil {
			t.Fatalf("%q gives %v, but encoding/json says %v", text, v, stdErr)
		}
		if !sameAsStandard(v, std) {
			t.Fatalf("%q gives %v, encoding/json %v", text, v, std)
		}
		out, err := Marshal(v)
		if err != nil {
			t.Fatalf("%q: writing: %v", text, err)
		}
		back, err := ParseJSON(out)
		if err != nil || !Equal(v, back) {
			t.Fatalf("%q is written as %s, which reads as %v, %v", text, out, back, err)
		}
		again, err := Marshal(back)
		if err != nil || !bytes.Equal(out, again) {
			t.Fatalf("%s is written as %s the second time, %v", out, again, err)
		}
		if n, err := Normalize(v); err != nil || !Equal(n, v) {
			t.Fatalf("Normalize: %v, %v", n, err)
		}
	})
}

func standard(text []byte) (any, error) {
	if !json.Valid(text) {
		var v any
		return nil, json.Unmarshal(text, &v)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

func refusedOnPurpose(err error) bool {
	for _, s := range []string{"surrogate", "beyond the range", "inside one another"} {
		if strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}

func sameAsStandard(v, std any) bool {
	switch s := std.(type) {
	case json.Number:
		switch n := v.(type) {
		case int64:
			i, err := s.Int64()
			return err == nil && i == n
		case float64:
			f, err := s.Float64()
			_, intErr := s.Int64()
			return err == nil && f == n && (intErr != nil || f == 0 && math.Signbit(n))
		}
		return false
	case []any:
		a, ok := v.([]any)
		if !ok || len(a) != len(s) {
			return false
		}
		for i := range a {
			if !sameAsStandard(a[i], s[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		m, ok := v.(map[string]any)
		if !ok || len(m) != len(s) {
			return false
		}
		for k := range m {
			if e, ok := s[k]; !ok || !sameAsStandard(m[k], e) {
				return false
			}
		}
		return true
	}
	return v == std
}

// FuzzMarshalString checks that a text is refused, or read back unchanged by
// us and by encoding/json, in whatever pieces it is written.
func FuzzMarshalString(f *testing.F) {
	for _, s := range []string{"", "<&>\u2028", "\x00\"\\", "\xff", "é\U0001F600"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, err := Marshal(map[string]any{s: s})
		if !utf8.ValidString(s) {
			if err == nil {
				t.Fatalf("%q is written as %s", s, out)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := ParseJSON(out)
		if err != nil || !Equal(v, map[string]any{s: s}) {
			t.Fatalf("%q reads back as %v, %v", s, v, err)
		}
		var std map[string]string
		if err := json.Unmarshal(out, &std); err != nil || std[s] != s {
			t.Fatalf("%q is %v for encoding/json, %v", s, std, err)
		}
	})
}

// FuzzFloat checks that every finite number reads back as itself.
func FuzzFloat(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 1 << 53, 1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		f.Add(math.Float64bits(x))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		x := math.Float64frombits(bits)
		out, err := Marshal(x)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			if err == nil {
				t.Fatalf("%v is written as %s", x, out)
			}
			return
		}
		v, err := ParseJSON(out)
		if err != nil || !Equal(v, x) {
			t.Fatalf("%v is written as %s, which reads as %v, %v", x, out, v, err)
		}
		var std float64
		if err := json.Unmarshal(out, &std); err != nil || math.Float64bits(std) != bits {
			t.Fatalf("%v is written as %s, which encoding/json reads as %v, %v", x, out, std, err)
		}
	})
}

// FuzzPath checks that a path is refused, or shown in a form that reads as the
// same path, and that looking it up never panics.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"a", "a.b[0]", `["x y"].z`, `a["\u00e9\n"][12]`, "a[01]", "[0]", "a..b", `["]"]`, ""} {
		f.Add(s)
	}
	view := pathView()
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePath(s)
		if err != nil {
			return
		}
		if p.Selectors[0].IsIndex || p.Root() != p.Selectors[0].Key {
			t.Fatalf("%q starts with %v", s, p.Selectors[0])
		}
		again, err := ParsePath(p.String())
		if err != nil || again.String() != p.String() || len(again.Selectors) != len(p.Selectors) {
			t.Fatalf("%q is shown as %q, which reads as %v, %v", s, p, again, err)
		}
		for i, sel := range p.Selectors {
			if again.Selectors[i] != sel {
				t.Fatalf("selector %d of %q is %v, then %v", i, s, sel, again.Selectors[i])
			}
		}
		_, found := Lookup(view, p)
		if why := p.Explain(view); found != (why == "") {
			t.Fatalf("%q: found %v, explained %q", s, found, why)
		}
		if _, _, err := Resolve(view, s); err != nil {
			t.Fatalf("%q parses, but does not resolve: %v", s, err)
		}
	})
}
