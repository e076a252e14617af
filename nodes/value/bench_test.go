package value

import (
	"io"
	"math/rand/v2"
	"testing"
)

// vectors returns 1000 unit-like vectors of the dimension that common
// embedding models have.
func vectors() *Vectors {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]float64, 1000*1536)
	for i := range data {
		data[i] = r.NormFloat64() / 39
	}
	return NewVectors(data, 1536)
}

func BenchmarkWriteVectors(b *testing.B) {
	v := vectors()
	text, err := Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := WriteJSON(io.Discard, v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseVectors(b *testing.B) {
	text, err := Marshal(vectors())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseJSON(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteTexts(b *testing.B) {
	texts := make([]string, 20000)
	for i := range texts {
		texts[i] = "Ein Absatz mit \"Zitat\", Umlauten äöü und\nzwei Zeilen, wie ihn ein Dokument enthält."
	}
	v := NewStrings(texts)
	b.SetBytes(Size(v))
	b.ReportAllocs()
	for b.Loop() {
		if err := WriteJSON(io.Discard, v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseRows(b *testing.B) {
	rows := make([]any, 20000)
	for i := range rows {
		rows[i] = map[string]any{"text": "a chunk of text", "start": int64(i), "stop": int64(i + 15)}
	}
	text, err := Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseJSON(text); err != nil {
			b.Fatal(err)
		}
	}
}
