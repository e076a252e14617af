package value

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestParseJSON(t *testing.T) {
	for _, c := range []struct {
		text string
		want any
	}{
		{"null", nil}, {" \t\r\n true ", true}, {"false", false},
		{"0", int64(0)}, {"-1", int64(-1)}, {"9223372036854775807", int64(math.MaxInt64)}, {"-9223372036854775808", int64(math.MinInt64)},
		{"9007199254740993", int64(1<<53 + 1)},
		{"9223372036854775808", float64(1 << 63)}, {"-9223372036854775809", -float64(1 << 63)},
		{"3.0", 3.0}, {"1e2", 100.0}, {"1E+2", 100.0}, {"-0.5e-1", -0.05}, {"0e0", 0.0}, {"1e-999", 0.0}, {"1.7976931348623157e308", math.MaxFloat64},
		{`""`, ""}, {`"a/b\/\"\\\b\f\n\r\t"`, "a/b/\"\\\b\f\n\r\t"}, {`"\u00e9\u00E9é\u0000"`, "ééé\x00"},
		{`"\ud83d\ude00😀"`, "😀😀"}, {"\"\u2028\x7f\"", "\u2028\x7f"}, {`"\ufffd�"`, "\ufffd\ufffd"},
		{"[]", []any{}}, {"[ ]", []any{}}, {"{}", map[string]any{}}, {"{ }", map[string]any{}},
		{`[1, [2.5, "x"], [], null]`, []any{int64(1), []any{2.5, "x"}, []any{}, nil}},
		{`{"a": {"b": [true]}, "": 1, "a b": null}`, map[string]any{"a": map[string]any{"b": []any{true}}, "": int64(1), "a b": nil}},
		{`{"a":1,"b":2,"a":3}`, map[string]any{"a": int64(3), "b": int64(2)}},
		{`[{"k":1},{"k":2}]`, []any{map[string]any{"k": int64(1)}, map[string]any{"k": int64(2)}}},
	} {
		got, err := ParseJSON(c.text)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %#v, %v; want %#v", c.text, got, err, c.want)
		}
		got, err = ParseJSON([]byte(c.text))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("bytes of %s: %#v, %v", c.text, got, err)
		}
	}
	if v, err := ParseJSON("-0"); err != nil || v != 0.0 || !math.Signbit(v.(float64)) {
		t.Errorf("-0: %v, %v", v, err)
	}
}

func TestParseJSONErrors(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		msg          string
	}{
		{"", 1, 1, "expected a value, but the text ends"}, {" \n ", 2, 2, "but the text ends"},
		{"1 2", 1, 3, "expected the end of the text after the value, got '2'"}, {"{}}", 1, 3, "end of the text"}, {"null,", 1, 5, "got ','"},
		{"[1,]", 1, 4, "expected a value, got ']'"}, {"[1 2]", 1, 4, "expected a comma or ] after an array element, got '2'"},
		{"[1", 1, 3, "comma or ]"}, {"[", 1, 2, "expected a value"}, {"[,1]", 1, 2, "got ','"},
		{`{"a":1,}`, 1, 8, "expected an object key in double quotes, got '}'"}, {`{a:1}`, 1, 2, "object key in double quotes, got 'a'"},
		{`{'a':1}`, 1, 2, "double quotes"}, {`{"a" 1}`, 1, 6, "expected a colon after an object key"}, {`{"a":}`, 1, 6, "expected a value"},
		{`{"a":1 "b":2}`, 1, 8, "expected a comma or } after an object value"}, {`{"a":1`, 1, 7, "comma or }"}, {`{1:2}`, 1, 2, "object key"},
		{"tru", 1, 4, "expected true, but the text ends"}, {"nul1", 1, 4, "expected null, got '1'"}, {"fALSE", 1, 2, "expected false"},
		{"NaN", 1, 1, "expected a value, got 'N'"}, {"Infinity", 1, 1, "got 'I'"}, {"-Infinity", 1, 2, "a digit after the minus sign"},
		{"+1", 1, 1, "got '+'"}, {".5", 1, 1, "got '.'"}, {"-", 1, 2, "a digit after the minus sign"}, {"01", 1, 1, "needless 0"}, {"-012", 1, 1, "needless 0"},
		{"1.", 1, 3, "a digit after the decimal point"}, {"1.e5", 1, 3, "decimal point"}, {"1e", 1, 3, "a digit in the exponent"}, {"1e+", 1, 4, "exponent"},
		{"0x10", 1, 2, "end of the text"}, {"[1e400]", 1, 2, "beyond the range of a 64-bit float"}, {"-1e400", 1, 1, "beyond the range"},
		{"[\n  \"é\", x]", 2, 8, "got 'x'"}, {"[\"é\nb\"]", 1, 4, `control character '\n' in a string`},
		{`"abc`, 1, 1, "the string that starts here is not closed"}, {`["a\n`, 1, 2, "not closed"}, {`"\`, 1, 2, "the text ends inside an escape"},
		{`"\x41"`, 1, 2, "unknown escape"}, {`"\u12"`, 1, 2, "four hexadecimal digits"}, {`"\u12g4"`, 1, 2, "hexadecimal"}, {`"\u00`, 1, 2, "hexadecimal"},
		{`"\ud83d"`, 1, 2, "half of a surrogate pair"}, {`"a\ude00"`, 1, 3, "half of a surrogate pair"}, {`"\ud83d\u0041"`, 1, 2, "half of"}, {`"\ud83d\n"`, 1, 2, "half of"},
		{"\"ab\xff\"", 1, 4, "not valid UTF-8"}, {"\"é\\n\xc3\"", 1, 5, "not valid UTF-8"}, {"\"\xed\xa0\x80\"", 1, 2, "not valid UTF-8"}, {"{\"\xff\":1}", 1, 3, "not valid UTF-8"},
		{"\xff", 1, 1, "not valid UTF-8"}, {"\"\xc0\xaf\"", 1, 2, "not valid UTF-8"},
		{"\ufeff{}", 1, 1, "byte order mark"}, {"[1,\ufeff2]", 1, 4, "expected a value"}, {"\u00a01", 1, 1, "expected a value"}, {"// x\n1", 1, 1, "got '/'"}, {"\x00", 1, 1, `got '\x00'`},
	} {
		v, err := ParseJSON(c.text)
		var se *SyntaxError
		if !errors.As(err, &se) || v != nil {
			t.Errorf("%q: %v, %v", c.text, v, err)
			continue
		}
		if se.Line != c.line || se.Column != c.column || !strings.Contains(se.Msg, c.msg) {
			t.Errorf("%q: %v; want line %d, column %d: %s", c.text, err, c.line, c.column, c.msg)
		}
		var be *SyntaxError
		if _, err := ParseJSON([]byte(c.text)); !errors.As(err, &be) || *be != *se {
			t.Errorf("%q: bytes give %v", c.text, err)
		}
	}
	_, err := ParseJSON("{\n  \"é\": x}")
	checkErr(t, "text of the error", err, "invalid JSON at line 2, column 8 (byte offset 10): expected a value, got 'x'")
}

func TestParseJSONSharesNothing(t *testing.T) {
	text := []byte(`{"key":"value","n":[1.5]}`)
	v, err := ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] = 'x'
	}
	if got := mustJSON(t, v); got != `{"key":"value","n":[1.5]}` {
		t.Errorf("the value changed to %s", got)
	}
}

// A hostile number of different keys must not be kept twice.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	b.WriteByte('{')
	for i := range 3 * sharedKeys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(mustJSON(t, strings.Repeat("k", i%7)+string(rune('a'+i%26))+mustJSON(t, int64(i))) + ":0")
	}
	b.WriteByte('}')
	v, err := ParseJSON(b.String())
	if err != nil || len(v.(map[string]any)) != 3*sharedKeys {
		t.Errorf("%v", err)
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]any{
		"0": int64(0), "-12": int64(-12), "1.50": 1.5, "1e2": 100.0, "9223372036854775808": float64(1 << 63),
	} {
		if got, ok := ParseNumber(text); !ok || got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", " 1", "1 ", "+1", "007", ".5", "1.", "0x10", "1e400", "1_000", "NaN", "abc", "-", "1e", "١"} {
		if got, ok := ParseNumber(text); ok {
			t.Errorf("%q is the number %v", text, got)
		}
	}
}

func TestScanString(t *testing.T) {
	for _, c := range []struct {
		text, want string
		n          int
		err        string
	}{
		{`"a\"b" rest`, `a"b`, 6, ""}, {`""`, "", 2, ""}, {`abc`, "", 0, `expected "`}, {``, "", 0, `expected "`}, {`"abc`, "", 0, "not closed"}, {`"\q"`, "", 0, "unknown escape"},
	} {
		got, n, err := ScanString(c.text)
		checkErr(t, c.text, err, c.err)
		if got != c.want || n != c.n {
			t.Errorf("%s: %q, %d", c.text, got, n)
		}
	}
}
