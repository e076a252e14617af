package ai

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// chroma is the text of all five corpora, 1.45 MB.
func chroma(b *testing.B) string {
	b.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpora", "chroma", "*.md"))
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for _, file := range files {
		if filepath.Base(file) == "ORIGIN.md" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		text.Write(data)
		text.WriteString("\n\n")
	}
	if text.Len() < 1_440_000 {
		b.Fatalf("the corpora have %d bytes", text.Len())
	}
	return text.String()
}

// BenchmarkSemantic is the node from text to chunks with vectors of the local
// model: under a second on one processor (GOMAXPROCS=1).
func BenchmarkSemantic(b *testing.B) {
	text := chroma(b)
	for name, params := range map[string]map[string]any{
		"topic":      {"detector": "topic"},
		"topic-1200": {"detector": "topic", "max_size": 1200},
		"dp":         {"detector": "dp", "target_size": 400},
		"dp-unicode": {"detector": "dp", "target_size": 800, "max_size": 1200, "sentence_mode": "unicode"},
		"depth":      {"detector": "depth"},
		"savgol":     {},
	} {
		b.Run(name, func(b *testing.B) {
			node := semanticNode(vendors.Vendors())
			h := bench(b, "")
			params["source_key"] = "doc"
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				out, err := h.Run(node, params, map[string]any{"doc": text})
				if err != nil {
					b.Fatal(err)
				}
				n, _ := value.Len(out["semantic"])
				b.ReportMetric(float64(n), "chunks")
			}
		})
	}
}
