package semantic

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
)

type detectorCase struct {
	Name    string
	Vectors [][]float64
	Terms   [][]string
	Spans   [][2]int
	Params  struct {
		MinDistance int `json:"min_distance"`
		Target, Max int
	}
	Expect struct {
		Depth struct {
			Gap, Depth []float64
			Cuts       []int
		}
		DP, Topic struct {
			Cost float64
			Cuts []int
		}
	}
}

func (c *detectorCase) spans() []chunking.Span {
	spans := make([]chunking.Span, len(c.Spans))
	for i, s := range c.Spans {
		spans[i] = chunking.Span{Start: s[0], Stop: s[1]}
	}
	return spans
}

// termIDs numbers the given terms as they come.
func (c *detectorCase) termIDs() [][]int32 {
	ids := map[string]int32{}
	out := make([][]int32, len(c.Terms))
	for i, terms := range c.Terms {
		for _, term := range terms {
			if _, ok := ids[term]; !ok {
				ids[term] = int32(len(ids))
			}
			out[i] = append(out[i], ids[term])
		}
	}
	return out
}

func readDetectorCases(t testing.TB) []detectorCase {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/vectors/detectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []detectorCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 12 {
		t.Fatalf("only %d cases", len(file.Cases))
	}
	return file.Cases
}

// relatively compares to 1e-9 of the wanted value; values of rounding size count
// as zero.
func relatively(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d values, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= max(1e-9*math.Abs(want[i]), 1e-13)) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestGoldenDetectors(t *testing.T) {
	for _, c := range readDetectorCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			m, err := FromRows(c.Vectors)
			if err != nil {
				t.Fatal(err)
			}
			depth, err := Depth(m, c.Params.MinDistance)
			if err != nil {
				t.Fatal(err)
			}
			relatively(t, "gap", depth.Gap, c.Expect.Depth.Gap)
			relatively(t, "depth", depth.Depth, c.Expect.Depth.Depth)
			sameCuts(t, "depth", depth.Cuts, c.Expect.Depth.Cuts)

			dp, err := DP(m, c.spans(), DPOptions{Target: float64(c.Params.Target), Max: c.Params.Max})
			if err != nil {
				t.Fatal(err)
			}
			relatively(t, "dp cost", []float64{dp.Cost}, []float64{c.Expect.DP.Cost})
			sameCuts(t, "dp", dp.Cuts, c.Expect.DP.Cuts)

			topic, err := Topic(m, c.termIDs(), TopicOptions{})
			if err != nil {
				t.Fatal(err)
			}
			relatively(t, "topic cost", []float64{topic.Cost}, []float64{c.Expect.Topic.Cost})
			sameCuts(t, "topic", topic.Cuts, c.Expect.Topic.Cuts)
		})
	}
}

func sameCuts(t *testing.T, detector string, got, want []int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s cuts %v, want %v", detector, got, want)
	}
}
