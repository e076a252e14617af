package app

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

func sampleReport() *evalReport {
	return &evalReport{
		facts: []evalFact{{"texts", "texts", 2}, {"data", "what was cut", []string{"a", "b\x1b"}}},
		tables: []evalTable{
			{
				key: "scores", title: "Scores",
				columns: []evalColumn{{"method", "method"}, {"of", ""}, {"pk", "Pk"}, {"n", "chunks"}},
				rows: [][]evalCell{
					{nameCell("a,b"), noCell(), meanCell(quality.Mean{Value: .25, StandardError: .0125}, 3), countCell(7)},
					{nameCell("ärger"), nameCell("a,b"), noCell(), countCell(12)},
				},
			},
			{
				key: "differences", title: "Differences",
				columns: []evalColumn{{"method", "method"}, {"pk", "Pk"}},
				rows:    [][]evalCell{{nameCell("x"), intervalCell(quality.Interval{Mean: -.0001, Low: -.2, High: .1}, 2)}},
			},
		},
		remarks: []string{"A remark."},
	}
}

func written(t *testing.T, f *evalFlags) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := sampleReport().write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEvalReportAsText(t *testing.T) {
	const want = `texts         2
what was cut  a
              b\x1b

Scores
method             Pk  chunks
a,b     0.250 ± 0.013       7
ärger               -      12

Differences
method                   Pk
x       0.00 [-0.20, +0.10]

A remark.
`
	got := string(written(t, &evalFlags{}))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEvalReportAsMarkdown(t *testing.T) {
	const want = `* texts: 2
* what was cut: a, b\\x1b

Scores:

| method | Pk | chunks |
|---|---:|---:|
| a,b | 0.250 ± 0.013 | 7 |
| ärger | - | 12 |

Differences:

| method | Pk |
|---|---:|
| x | 0.00 \[-0.20, +0.10] |

A remark.
`
	got := string(written(t, &evalFlags{markdown: true}))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEvalReportAsJSON(t *testing.T) {
	var got any
	text := written(t, &evalFlags{json: true})
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := map[string]any{
		"texts": 2.0, "data": []any{"a", "b\x1b"},
		"scores": []any{
			map[string]any{"method": "a,b", "of": nil, "pk": map[string]any{"mean": .25, "standard_error": .0125}, "n": 7.0},
			map[string]any{"method": "ärger", "of": "a,b", "pk": nil, "n": 12.0},
		},
		"differences": []any{
			map[string]any{"method": "x", "pk": map[string]any{"mean": -.0001, "low": -.2, "high": .1}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	broken := &evalReport{tables: []evalTable{{key: "t", columns: []evalColumn{{"x", "x"}}, rows: [][]evalCell{{numberCell(math.NaN(), 1)}}}}}
	if err := broken.write(&bytes.Buffer{}, &evalFlags{json: true}); err == nil {
		t.Error("NaN written as JSON")
	}
}

func TestEvalReportAsCSV(t *testing.T) {
	got, err := csv.NewReader(bytes.NewReader(written(t, &evalFlags{csv: true}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"table", "method", "of", "pk", "pk_se", "n", "pk_low", "pk_high"},
		{"scores", "a,b", "", "0.25", "0.0125", "7", "", ""},
		{"scores", "ärger", "a,b", "", "", "12", "", ""},
		{"differences", "x", "", "-0.0001", "", "", "-0.2", "0.1"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		plain  string
		signed string
	}{
		{-.0004, 3, "0.000", "0.000"},
		{.0005, 3, "0.001", "+0.001"},
		{-1.25, 1, "-1.2", "-1.2"},
		{0, 0, "0", "0"},
		{10, 0, "10", "+10"},
		{-10, 0, "-10", "-10"},
	} {
		if got := decimal(c.x, c.digits); got != c.plain {
			t.Errorf("%v: %q, want %q", c.x, got, c.plain)
		}
		if got := signed(c.x, c.digits); got != c.signed {
			t.Errorf("%v signed: %q, want %q", c.x, got, c.signed)
		}
	}
}
