package providers

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestDecodeTruncated cuts a good answer at every byte: no prefix is an answer.
func TestDecodeTruncated(t *testing.T) {
	openAI := `{"object":"list","data":[{"index":1,"embedding":[1,-2.5e-3]},{"embedding":"AACAPwAAAD8=","index":0}],"model":"a\u0062","usage":{"prompt_tokens":4}}`
	ollama := `{"model":"m","embeddings":[[0.1,2],[3,4E+1]],"x":[{"y":null},true,false,"\\"],"prompt_eval_count":4}`
	for i := range len(openAI) {
		if a, err := DecodeOpenAI(openAI[:i], &EmbedRequest{Texts: make([]string, 2)}); err == nil {
			t.Errorf("%q was taken for %v", openAI[:i], a)
		}
	}
	for i := range len(ollama) {
		if a, err := DecodeOllama(ollama[:i], &EmbedRequest{Texts: make([]string, 2)}); err == nil {
			t.Errorf("%q was taken for %v", ollama[:i], a)
		}
	}
	a, err := DecodeOpenAI(openAI, &EmbedRequest{Texts: make([]string, 2)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 0.5, 1, -2.5e-3} {
		if a.Data[i] != want {
			t.Errorf("number %d is %v, want %v", i, a.Data[i], want)
		}
	}
	if a.Model != "ab" || a.Usage == nil || a.Usage.InputTokens != 4 {
		t.Errorf("model %q, usage %v", a.Model, a.Usage)
	}
}

// TestDecodeLongVector checks that a vector over the limit is not read to its
// end: what follows the limit is not even JSON.
func TestDecodeLongVector(t *testing.T) {
	req := &EmbedRequest{Texts: make([]string, 2), MaxDimension: 3}
	for _, body := range []string{
		`{"data":[{"embedding":[1,2,3,4,!`,
		`{"data":[{"embedding":"` + strings.Repeat("AACAPw==", 1) + `"},{"embedding":[1,2,!`,
	} {
		_, err := DecodeOpenAI(body, req)
		e := asError(err)
		if e == nil || strings.Contains(err.Error(), "JSON") {
			t.Errorf("%s: %v", body, err)
		}
	}
	if _, err := DecodeOpenAI(`{"data":[{"embedding":[1,2,3]},{"embedding":[4,5,6]}]}`, req); err != nil {
		t.Error(err)
	}
	if _, err := DecodeOpenAI(`{"data":[{"embedding":"AACAPwAAgD8AAIA/AACAPw=="}]}`, &EmbedRequest{Texts: make([]string, 1), MaxDimension: 3}); err == nil {
		t.Error("a base64 vector over the limit was accepted")
	}
}

// TestDecodeUsage checks that token counts are read leniently.
func TestDecodeUsage(t *testing.T) {
	for usage, want := range map[string]*Usage{
		`{"prompt_tokens":5,"total_tokens":7}`:           {InputTokens: 5, TotalTokens: 7},
		`{"prompt_tokens":5,"details":{"cached":[1,2]}}`: {InputTokens: 5},
		`{"prompt_tokens":-1}`:                           nil,
		`{"prompt_tokens":1.5}`:                          nil,
		`{"prompt_tokens":1e3}`:                          nil,
		`{"prompt_tokens":"5"}`:                          nil,
		`{"prompt_tokens":99999999999999999999}`:         nil,
		`{"prompt_tokens":9007199254740993}`:             nil,
		`null`:                                           nil,
		`[]`:                                             nil,
		`5`:                                              nil,
	} {
		a, err := DecodeOpenAI(`{"data":[{"embedding":[1]}],"usage":`+usage+`}`, &EmbedRequest{Texts: make([]string, 1)})
		if err != nil {
			t.Fatal(usage, err)
		}
		if (a.Usage == nil) != (want == nil) || want != nil && *a.Usage != *want {
			t.Errorf("%s gives %v, want %v", usage, a.Usage, want)
		}
	}
}

// FuzzDecodeOpenAI compares with encoding/json: what is accepted is valid JSON
// and holds the same numbers.
func FuzzDecodeOpenAI(f *testing.F) {
	for _, s := range []string{
		`{"data":[{"index":1,"embedding":[1,-2.5e-3]},{"index":0,"embedding":[0.1,17]}]}`,
		`{"data":[{"embedding":[1,2 , 3]},{"embedding":[ -0.0,1E5,12345678901234567890]}],"model":"\ud800","x":{}}`,
		`{"data":[{"embedding":"AACAPw=="},{"embedding":[1]}],"usage":{"prompt_tokens":4}}`,
		`{"d\u0061ta":[{"embedding":[00]},{"embedding":[1]}]} `,
		`{"data":[{"embedding":[1]},{"embedding":[2]}],"a":[[],{},"\"\\\/\b\f\n\r\t",tru]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		a, err := DecodeOpenAI(body, &EmbedRequest{Texts: make([]string, 2), MaxDimension: 1000})
		if err != nil {
			if asError(err) == nil {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		if !json.Valid([]byte(body)) {
			t.Fatalf("accepted invalid JSON %q", body)
		}
		var top map[string]json.RawMessage
		var items []map[string]json.RawMessage
		if json.Unmarshal([]byte(body), &top) != nil || json.Unmarshal(top["data"], &items) != nil || len(items) != 2 {
			t.Fatalf("encoding/json finds no two items in %q", body)
		}
		if len(a.Data) != 2*a.Dim || a.Dim == 0 {
			t.Fatalf("%d numbers, dimension %d", len(a.Data), a.Dim)
		}
		for r, item := range items {
			row := r
			if raw, ok := item["index"]; ok {
				if json.Unmarshal(raw, &row) != nil || row < 0 || row > 1 {
					t.Fatalf("index %s of %q was accepted", raw, body)
				}
			}
			var want []*float64
			if json.Unmarshal(item["embedding"], &want) != nil {
				var text string
				if json.Unmarshal(item["embedding"], &text) != nil {
					t.Fatalf("vector %s was accepted", item["embedding"])
				}
				continue
			}
			if len(want) != a.Dim {
				t.Fatalf("%q: %d numbers, encoding/json has %d", body, a.Dim, len(want))
			}
			for i, w := range want {
				if got := a.Data[row*a.Dim+i]; w == nil || math.Float64bits(got) != math.Float64bits(*w) {
					t.Fatalf("%q: row %d number %d is %v, encoding/json has %v", body, row, i, got, w)
				}
			}
		}
	})
}

// FuzzNumber compares the number grammar with encoding/json.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1.5e+10", "01", "1.", ".5", "-", "1e", "123456789012345678", "1234567/", "+1", "1234567:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole := numberEnd(s, 0) == len(s) && s != ""
		var n json.Number
		valid := json.Unmarshal([]byte(s), &n) == nil && s != "null" && strings.Trim(s, " \t\r\n") == s && s[0] != '"'
		if whole != valid {
			t.Fatalf("%q: accepted %v, encoding/json %v", s, whole, valid)
		}
		if whole {
			if _, err := strconv.ParseFloat(s, 64); err != nil && !strings.Contains(err.Error(), "range") {
				t.Fatalf("%q: %v", s, err)
			}
		}
	})
}

// FuzzSkip checks that a document is skipped exactly when it is valid JSON.
func FuzzSkip(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":null}],"c":"\u00e9"}`, `[true,false]`, `[1,]`, `{"a"}`, `"\x"`, "\"\x7f\"", `nul`, ` 1 `, ``, `{,}`, `[[[[`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Count(s, "[")+strings.Count(s, "{") > maxDepth {
			return
		}
		d := &scanner{s: s}
		err := d.skip(1)
		if err == nil {
			err = d.end()
		}
		if (err == nil) != json.Valid([]byte(s)) {
			t.Fatalf("%q: %v, encoding/json says valid = %v", s, err, json.Valid([]byte(s)))
		}
	})
}
