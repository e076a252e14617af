package providertest

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// badVectors are vectors that no answer may hold.
func badVectors() []struct{ name, vector, says string } {
	return []struct{ name, vector, says string }{
		{"null", "null", "is null"},
		{"empty", "[]", "is empty"},
		{"null element", "[1,null]", "holds null"},
		{"null first", "[null,1]", "holds null"},
		{"text element", `[1,"2"]`, "holds a text"},
		{"nested", "[[1,2]]", "holds an array"},
		{"object element", `[1,{}]`, "holds an object"},
		{"true element", "[true,1]", "truth value"},
		{"number", "5", "neither"},
		{"object", `{"0":1}`, "neither"},
		{"true", "true", "neither"},
		{"1e400", "[1,1e400]", "too great"},
		{"-1e400", "[-1e400,1]", "too great"},
		{"NaN", "[NaN,1]", "not valid JSON"},
		{"Infinity", "[1,-Infinity]", "not valid JSON"},
		{"trailing comma", "[1,2,]", "not valid JSON"},
		{"missing comma", "[1 2]", "not valid JSON"},
		{"leading zero", "[01,2]", "not valid JSON"},
		{"plus sign", "[+1,2]", "not valid JSON"},
		{"bare point", "[1.,2]", "not valid JSON"},
		{"no digit", "[-,2]", "not valid JSON"},
		{"hexadecimal", "[0x1,2]", "not valid JSON"},
		{"not base64", `"%%%%"`, "not base64"},
		{"empty base64", `""`, "is empty"},
		{"base64 of 5 bytes", `"` + base64.StdEncoding.EncodeToString([]byte("12345")) + `"`, "5 bytes"},
		{"base64 NaN", packed(1, float32(math.NaN())), "not finite"},
		{"base64 infinity", packed(float32(math.Inf(-1)), 1), "not finite"},
		{"longer than the first", "[1,2,3]", "more numbers than the first"},
		{"shorter than the first", "[1]", "1 numbers"},
	}
}

// packed is a vector as base64 of little-endian float32, in quotes.
func packed(v ...float32) string {
	var raw []byte
	for _, f := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(f))
	}
	return `"` + base64.StdEncoding.EncodeToString(raw) + `"`
}

// refused runs a job of two inputs against one fixed answer, which must be
// refused without a second request.
func refused(t *testing.T, s Subject, body string, says ...string) {
	t.Helper()
	h := newHarness(t, s, func(Request) reply { return reply{body: body} })
	job := h.job("a", "b")
	job.BatchRetries = 2
	got, err := h.embed(job)
	mustFail(t, got, err, providers.KindAnswer)
	mustSay(t, err, append(says, "embedding inputs 1..2 of 2 (batch 1 of 1)", "provider "+s.Vendor().Name, "http://127.0.0.1:")...)
	if n := len(h.seen()); n != 1 {
		t.Errorf("%d requests, want 1: such an answer is not asked for again", n)
	}
}

func testBadAnswers(t *testing.T, s Subject) {
	for _, c := range badVectors() {
		t.Run(c.name, func(t *testing.T) { refused(t, s, s.Answer([]string{"[1,2]", c.vector}), c.says) })
	}
	fine := s.Answer([]string{"[1,2]", "[3,4]"})
	for _, c := range []struct{ name, body, says string }{
		{"too few vectors", s.Answer([]string{"[1,2]"}), "1 vectors for 2 inputs"},
		{"too many vectors", s.Answer([]string{"[1,2]", "[3,4]", "[5,6]"}), "more vectors"},
		{"no vectors", s.Answer(nil), "0 vectors for 2 inputs"},
		{"nothing", "", "ends too early"},
		{"white space", " \n", "ends too early"},
		{"HTML", "<!DOCTYPE html><html></html>", "not valid JSON"},
		{"empty object", "{}", "it has no "},
		{"array", "[" + fine + "]", "not valid JSON"},
		{"null document", "null", "not valid JSON"},
		{"text", `"` + "ok" + `"`, "not valid JSON"},
		{"two documents", fine + fine, "more text"},
		{"trailing garbage", fine + "x", "more text"},
		{"byte order mark", "\ufeff" + fine, "not valid JSON"},
		{"error as object", `{"error":{"message":"overloaded"}}`, "reports an error"},
		{"error as text", `{"error":"model requires more system memory"}`, "reports an error"},
		{"error beside vectors", strings.Replace(fine, "{", `{"error":"partly",`, 1), "reports an error"},
		{"cut in the middle", fine[:len(fine)/2], "not valid JSON"},
		{"cut at the last byte", fine[:len(fine)-1], "ends too early"},
		{"deep nesting", strings.Replace(fine, "{", `{"x":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+",", 1), "nested too deeply"},
		{"stray control byte", strings.Replace(fine, "{", "{\"x\":\"\x01\",", 1), "not valid JSON"},
		{"null instead of the list", strings.NewReplacer("[[1,2],[3,4]]", "null", `"data":[`, `"data":null,"x":[`).Replace(fine), "is not an array"},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, s, c.body, c.says) })
	}
	t.Run("fine with what does not matter", func(t *testing.T) {
		body := " " + strings.Replace(fine, "{", `{"error":null,"x":{"y":[1e5,-0.5E-3,"\u00e9\"",true,false,null,{}]},`, 1) + "\r\n\t"
		h := newHarness(t, s, func(Request) reply { return reply{body: body} })
		got, err := h.embed(h.job("a", "b"))
		if err != nil || got.Data[3] != 4 {
			t.Errorf("%v, %v", got, err)
		}
	})
}

// testBadIndexes applies to formats whose vectors carry an index.
func testBadIndexes(t *testing.T, s Subject) {
	if !s.Indexed {
		return
	}
	item := func(index, vector string) string { return `{"index":` + index + `,"embedding":` + vector + `}` }
	doc := func(items ...string) string { return `{"data":[` + strings.Join(items, ",") + `]}` }
	for _, c := range []struct{ name, body, says string }{
		{"duplicate", doc(item("0", "[1]"), item("0", "[2]")), "index 0 stands at two"},
		{"too great", doc(item("0", "[1]"), item("2", "[2]")), "index 2, allowed are 0..1"},
		{"from one", doc(item("1", "[1]"), item("2", "[2]")), "allowed are 0..1"},
		{"negative", doc(item("0", "[1]"), item("-1", "[2]")), "no whole number"},
		{"fractional", doc(item("0", "[1]"), item("1.0", "[2]")), "no whole number"},
		{"exponent", doc(item("0", "[1]"), item("1e0", "[2]")), "no whole number"},
		{"text", doc(item("0", "[1]"), item(`"1"`, "[2]")), "no whole number"},
		{"null", doc(item("0", "[1]"), item("null", "[2]")), "no whole number"},
		{"huge", doc(item("0", "[1]"), item("99999999999999999999999", "[2]")), "no whole number"},
		{"missing at the second", doc(item("0", "[1]"), `{"embedding":[2]}`), "some have none"},
		{"missing at the first", doc(`{"embedding":[2]}`, item("1", "[1]")), "some have none"},
		{"index after its vector, missing at the first", doc(`{"embedding":[2]}`, `{"embedding":[1],"index":1}`), "some have none"},
		{"no embedding", doc(item("0", "[1]"), `{"index":1}`), "is missing"},
		{"two embeddings", doc(item("0", "[1]"), `{"index":1,"embedding":[1],"embedding":[2]}`), "embedding twice"},
		{"two indexes", doc(item("0", "[1]"), `{"index":1,"index":1,"embedding":[1]}`), "index twice"},
		{"escaped key", doc(item("0", "[1]"), `{"ind\u0065x":0,"embedding":[1]}`), "index 0 stands at two"},
		{"two lists", `{"data":[],"data":[` + item("0", "[1]") + `,` + item("1", "[2]") + `]}`, "data twice"},
		{"item is an array", doc("[1]", "[2]"), "is not an object"},
		{"data is an object", `{"data":{}}`, "data is not an array"},
		{"keys in another case", `{"Data":[` + item("0", "[1]") + `,` + item("1", "[2]") + `]}`, "no data"},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, s, c.body, c.says) })
	}
	for name, body := range map[string]string{
		"reversed":               doc(item("2", "[3,0.5]"), item("1", "[2,0.5]"), item("0", "[1,0.5]")),
		"rotated, index last":    doc(`{"embedding":[2,0.5],"index":1}`, `{"embedding":[3,0.5],"index":2}`, `{"embedding":[1,0.5],"index":0}`),
		"none has an index":      doc(`{"embedding":[1,0.5]}`, `{"embedding":[2,0.5]}`, `{"embedding":[3,0.5]}`),
		"list before everything": `{"data":[` + item("1", "[2,0.5]") + `,` + item("0", "[1,0.5]") + `,` + item("2", packed(3, 0.5)) + `],"model":"m"}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, s, func(Request) reply { return reply{body: body} })
			got, err := h.embed(h.job(number(3)...))
			if err != nil {
				t.Fatal(err)
			}
			checkOrder(t, got, 3)
		})
	}
}

func testDimensions(t *testing.T, s Subject) {
	t.Run("asked for and ignored", func(t *testing.T) {
		h := newHarness(t, s, good(s))
		job := h.job(number(3)...)
		job.Dimensions, job.BatchSize = 64, 1
		got, err := h.embed(job)
		mustFail(t, got, err, providers.KindAnswer)
		mustSay(t, err, "dimensions=64", "have 2 numbers", "inputs 1..1 of 3")
		if n := len(h.seen()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
		if h.seen()[0].Dimensions != 64 {
			t.Errorf("dimensions was sent as %d", h.seen()[0].Dimensions)
		}
	})
	t.Run("asked for and given", func(t *testing.T) {
		h := newHarness(t, s, good(s))
		job := h.job(number(3)...)
		job.Dimensions, job.BatchSize = 2, 2
		got, err := h.embed(job)
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, got, 3)
	})
	for _, later := range []string{"[1]", "[1,2,3]"} {
		t.Run("another one in a later batch "+later, func(t *testing.T) {
			h := newHarness(t, s, func(r Request) reply {
				if r.N == 2 {
					return reply{body: s.Answer([]string{later})}
				}
				return reply{body: s.Answer(vectorsOf(r.Input))}
			})
			job := h.job(number(3)...)
			job.BatchSize = 1
			got, err := h.embed(job)
			mustFail(t, got, err, providers.KindAnswer)
			mustSay(t, err, "inputs 2..2 of 3 (batch 2 of 3)")
		})
	}
}

// testValues checks the limit on count x dimension.
func testValues(t *testing.T, s Subject) {
	run := func(limit int64, edit func(*providers.EmbedJob)) (*harness, *providers.Embeddings, error) {
		h := newHarness(t, s, good(s), withMaxValues(limit))
		job := h.job(number(10)...)
		job.BatchSize = 3
		if edit != nil {
			edit(&job)
		}
		got, err := h.embed(job)
		return h, got, err
	}
	if _, got, err := run(20, nil); err != nil {
		t.Errorf("exactly the limit fails: %v", err)
	} else {
		checkOrder(t, got, 10)
	}
	h, got, err := run(19, nil)
	mustFail(t, got, err, providers.KindConfig)
	mustSay(t, err, "IRONFLOW_MAX_EMBEDDING_VALUES")
	if n := len(h.seen()); n != 1 {
		t.Errorf("one value over the limit: %d requests, want 1", n)
	}
	for name, edit := range map[string]func(*providers.EmbedJob){
		"more inputs than values": func(j *providers.EmbedJob) { j.Texts = number(20) },
		"dimensions say so":       func(j *providers.EmbedJob) { j.Dimensions = 2 },
	} {
		h, got, err := run(19, edit)
		mustFail(t, got, err, providers.KindConfig)
		mustSay(t, err, "IRONFLOW_MAX_EMBEDDING_VALUES", "19")
		if n := len(h.seen()); n != 0 {
			t.Errorf("%s: %d requests, want 0", name, n)
		}
	}
}

// testBase64 checks that both forms are read whatever was asked for.
func testBase64(t *testing.T, s Subject) {
	one := packed(1, 0.5)
	escaped := strings.ReplaceAll(packed(float32(math.Float32frombits(0x3fffffff)), 0.5), "/", `\/`)
	for _, asked := range []string{"", "float", "base64"} {
		for name, vectors := range map[string][]string{
			"base64": {one, packed(2, 0.5)}, "arrays": {"[1,0.5]", "[2,0.5]"}, "mixed": {one, "[2,0.5]"},
		} {
			t.Run(fmt.Sprintf("%s for %q", name, asked), func(t *testing.T) {
				h := newHarness(t, s, func(Request) reply { return reply{body: s.Answer(vectors)} })
				job := h.job(number(2)...)
				job.EncodingFormat = asked
				got, err := h.embed(job)
				if err != nil {
					t.Fatal(err)
				}
				checkOrder(t, got, 2)
			})
		}
	}
	t.Run("escaped slashes", func(t *testing.T) {
		if !strings.Contains(escaped, `\/`) {
			t.Fatal("the sample holds no slash")
		}
		h := newHarness(t, s, func(Request) reply { return reply{body: s.Answer([]string{escaped})} })
		got, err := h.embed(h.job("a"))
		if err != nil || got.Data[0] != float64(math.Float32frombits(0x3fffffff)) {
			t.Errorf("%v, %v", got, err)
		}
	})
	t.Run("numbers stay float64", func(t *testing.T) {
		h := newHarness(t, s, func(Request) reply { return reply{body: s.Answer([]string{"[0.1,5e-324,1.7976931348623157e308]"})} })
		got, err := h.embed(h.job("a"))
		if err != nil || got.Data[0] != 0.1 || got.Data[1] != 5e-324 || got.Data[2] != math.MaxFloat64 {
			t.Errorf("%v, %v", got, err)
		}
	})
}
