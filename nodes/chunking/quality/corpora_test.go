package quality

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ironflow/ironflow/nodes/chunking/semantic"
)

// hashedDimensions is the length of the vectors that [hashedVectors] makes.
const hashedDimensions = 1024

// hashedVectors stands in for a model: words and the 3- to 5-grams of their
// characters are hashed with a sign into a vector for each sentence, each weighted
// by the logarithm of its inverse document frequency within the text.
func hashedVectors(sentences []string) semantic.Matrix {
	m := semantic.NewMatrix(len(sentences), hashedDimensions)
	features := make([][]uint64, len(sentences))
	documents := map[uint64]int{}
	for i, sentence := range sentences {
		features[i] = hashedFeatures(sentence)
		for _, f := range slices.Compact(slices.Sorted(slices.Values(features[i]))) {
			documents[f]++
		}
	}
	for i, list := range features {
		row := m.Row(i)
		for _, f := range list {
			weight := math.Log(float64(len(sentences)) / float64(documents[f]))
			if f>>63 == 1 {
				weight = -weight
			}
			row[f%hashedDimensions] += weight
		}
	}
	return m
}

func hashedFeatures(sentence string) []uint64 {
	var out []uint64
	add := func(kind, feature string) {
		h := fnv.New64a()
		h.Write([]byte(kind + feature))
		x := h.Sum64()
		x ^= x >> 33
		x *= 0xff51afd7ed558ccd
		x ^= x >> 33
		out = append(out, x)
	}
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, word := range words {
		add("w", word)
		runes := []rune("^" + word + "$")
		for size := 3; size <= 5; size++ {
			for i := 0; i+size <= len(runes); i++ {
				add("g", string(runes[i:i+size]))
			}
		}
	}
	return out
}

// detectors are what is measured, and the baselines beside them.
var detectors = []string{"none", "all", "every k", "random", "savgol", "depth", "topic"}

func detect(t testing.TB, detector string, d Document, m semantic.Matrix, seed int) Segmentation {
	t.Helper()
	n := d.Truth.Units
	mean := int(math.Round(float64(n) / float64(d.Truth.Segments())))
	var cuts []int
	switch detector {
	case "none":
		return None(n)
	case "all":
		return All(n)
	case "every k":
		return Every(n, mean)
	case "random":
		return Random(n, d.Truth.Segments(), uint64(seed))
	case "savgol":
		r, err := semantic.Detect(m, semantic.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		cuts = r.Cuts
	case "depth":
		r, err := semantic.Depth(m, 2)
		if err != nil {
			t.Fatal(err)
		}
		cuts = r.Cuts
	case "topic":
		index := semantic.NewTermIndex()
		terms := make([][]int32, n)
		for i, s := range d.Sentences {
			terms[i] = index.Add(s)
		}
		r, err := semantic.Topic(m, terms, semantic.TopicOptions{})
		if err != nil {
			t.Fatal(err)
		}
		cuts = r.Cuts
	}
	return Segmentation{Units: n, Cuts: cuts}
}

// measure runs all detectors over documents and prints a table.
func measure(t *testing.T, name string, documents []Document) map[string]Summary {
	t.Helper()
	scores := map[string][]Scores{}
	for i, d := range documents {
		m := hashedVectors(d.Sentences)
		for _, detector := range detectors {
			s, err := Score(d.Truth, detect(t, detector, d, m, i))
			if err != nil {
				t.Fatalf("%s, %s: %v", d.ID, detector, err)
			}
			scores[detector] = append(scores[detector], s)
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%s, %d texts, hashed word vectors\n%-10s %14s %14s %14s %14s %16s\n", name, len(documents),
		"", "Pk", "WindowDiff", "B", "F1 within 1", "segments (true)")
	out := map[string]Summary{}
	for _, detector := range detectors {
		s := Summarize(scores[detector])
		out[detector] = s
		fmt.Fprintf(&table, "%-10s", detector)
		for _, m := range []Mean{s.Pk, s.WindowDiff, s.Similarity, s.F1} {
			fmt.Fprintf(&table, "   %.3f +- %.3f", m.Value, m.StandardError)
		}
		fmt.Fprintf(&table, "   %6.1f (%.1f)\n", s.Segments.Value, s.TrueSegments.Value)
	}
	t.Log(table.String())
	return out
}

// readFolder reads every .ref file under a folder, in the order of names.
func readFolder(t *testing.T, folder string) []Document {
	t.Helper()
	var documents []Document
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".ref") {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		d, err := ReadChoi(f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		d.ID = path
		documents = append(documents, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(documents) == 0 {
		t.Fatalf("no .ref file under %s", folder)
	}
	return documents
}
