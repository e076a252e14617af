package quality

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Segmentation is a text of units cut into segments.
type Segmentation struct {
	// Units is how many sentences (or other units) the text has, from 1 on.
	Units int
	// Cuts are gaps in rising order: gap i, from zero, lies after unit i, so cuts
	// lie in 0..Units-2.
	Cuts []int
}

// Segments returns how many segments there are.
func (s Segmentation) Segments() int { return len(s.Cuts) + 1 }

// Check reports units and cuts that are no segmentation.
func (s Segmentation) Check() error {
	if s.Units < 1 {
		return fmt.Errorf("a segmentation of %d units; it needs at least 1", s.Units)
	}
	for i, cut := range s.Cuts {
		if cut < 0 || cut > s.Units-2 {
			return fmt.Errorf("cut %d in a text of %d units; cuts lie in 0 to %d", cut, s.Units, s.Units-2)
		}
		if i > 0 && cut <= s.Cuts[i-1] {
			return fmt.Errorf("cut %d after cut %d; cuts must rise", cut, s.Cuts[i-1])
		}
	}
	return nil
}

// FromLengths returns the segmentation with segments of the given lengths, each
// at least 1.
func FromLengths(lengths ...int) Segmentation {
	s := Segmentation{}
	for i, length := range lengths {
		if i > 0 {
			s.Cuts = append(s.Cuts, s.Units-1)
		}
		s.Units += length
	}
	return s
}

// None returns the segmentation without a cut.
func None(units int) Segmentation { return Segmentation{Units: units} }

// All returns the segmentation that cuts everywhere.
func All(units int) Segmentation { return Every(units, 1) }

// Every returns the segmentation with a cut after every k units, k at least 1.
func Every(units, k int) Segmentation {
	s := Segmentation{Units: units}
	for cut := k - 1; cut < units-1; cut += k {
		s.Cuts = append(s.Cuts, cut)
	}
	return s
}

// Random returns a segmentation into the given number of segments (at most
// units), each choice of cuts equally likely. The same seed gives the same cuts.
func Random(units, segments int, seed uint64) Segmentation {
	gaps := max(units-1, 0)
	wanted := min(max(segments-1, 0), gaps)
	random := rand.New(rand.NewPCG(seed, uint64(units)))
	s := Segmentation{Units: units}
	// Every gap is taken with the chance that the rest still needs it.
	for gap := 0; len(s.Cuts) < wanted; gap++ {
		if random.IntN(gaps-gap) < wanted-len(s.Cuts) {
			s.Cuts = append(s.Cuts, gap)
		}
	}
	return s
}

// segmentOf returns the number of the segment of each unit.
func (s Segmentation) segmentOf() []int {
	out := make([]int, s.Units)
	segment := 0
	for i := range out {
		out[i] = segment
		if segment < len(s.Cuts) && s.Cuts[segment] == i {
			segment++
		}
	}
	return out
}

func checkPair(truth, proposed Segmentation) error {
	if err := truth.Check(); err != nil {
		return fmt.Errorf("true segmentation: %w", err)
	}
	if err := proposed.Check(); err != nil {
		return fmt.Errorf("proposed segmentation: %w", err)
	}
	if truth.Units != proposed.Units {
		return fmt.Errorf("the true segmentation has %d units, the proposed one %d; both must cut the same text", truth.Units, proposed.Units)
	}
	return nil
}

// Equal says that both cut the same text at the same gaps.
func (s Segmentation) Equal(other Segmentation) bool {
	return s.Units == other.Units && slices.Equal(s.Cuts, other.Cuts)
}
