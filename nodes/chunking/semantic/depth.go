package semantic

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// DepthResult is what [Depth] found, with everything that explains it.
type DepthResult struct {
	// Gap is the dissimilarity of both sides of each gap: the mean of the
	// standardized curves for windows of 3, 6 and 10 sentences.
	Gap []float64
	// Depth is how far each gap rises over the valleys left and right of it.
	Depth []float64
	// Cutoff is what a depth has to exceed: the mean of all depths plus one
	// population standard deviation.
	Cutoff float64
	// Candidates are the gaps that no neighbour exceeds in dissimilarity, from
	// left to right; their strength is the depth.
	Candidates []Peak
	// Cuts are the gaps of the kept candidates, rising.
	Cuts []int
}

// Depth finds topic changes by how deep the text's coherence falls at a gap,
// after the depth scores of Hearst (1997), "TextTiling". Deepest candidates are
// taken first (of equals the left one), each at least minDistance gaps from those
// already taken.
//
// A minDistance below 0 is a [*chunking.OptionError], a number that is not finite
// a [*VectorError].
func Depth(m Matrix, minDistance int) (DepthResult, error) {
	if minDistance < 0 {
		return DepthResult{}, &chunking.OptionError{Param: "min_distance", Value: minDistance, Allowed: "a number of gaps from 0 on"}
	}
	u, err := newUnitRows(m)
	if err != nil {
		return DepthResult{}, err
	}
	return depthOf(u, minDistance), nil
}

func depthOf(u *unitRows, minDistance int) DepthResult {
	if u.len() < 2 {
		return DepthResult{}
	}
	curves := u.gapCurves(3, 6, 10)
	gap := make([]float64, u.len()-1)
	for k, curve := range curves {
		for i, z := range standardize(curve) {
			gap[i] += z
			if k == len(curves)-1 {
				gap[i] /= float64(len(curves))
			}
		}
	}
	r := DepthResult{Gap: gap, Depth: depths(gap)}
	mean, deviation := meanDeviation(r.Depth)
	r.Cutoff = mean + deviation
	for i, d := range r.Depth {
		if i > 0 && gap[i-1] > gap[i] || i+1 < len(gap) && gap[i+1] > gap[i] || d <= 0 {
			continue
		}
		r.Candidates = append(r.Candidates, Peak{Gap: i, Strength: d})
	}
	r.Cuts = takeDeepest(r.Candidates, r.Cutoff, minDistance, len(gap))
	return r
}

// depths returns, for each value, its height over the last one reached walking
// left while values do not rise, plus the same to the right.
func depths(gap []float64) []float64 {
	depth := make([]float64, len(gap))
	foot := 0.0
	for i, g := range gap {
		if i == 0 || gap[i-1] > g {
			foot = g
		}
		depth[i] = g - foot
	}
	for i := len(gap) - 1; i >= 0; i-- {
		if i == len(gap)-1 || gap[i+1] > gap[i] {
			foot = gap[i]
		}
		depth[i] += gap[i] - foot
	}
	return depth
}

// takeDeepest marks the candidates to keep and returns their gaps, rising.
func takeDeepest(candidates []Peak, cutoff float64, minDistance, gaps int) []int {
	order := make([]int, len(candidates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(candidates[b].Strength, candidates[a].Strength)
	})
	// takenNear holds the gap, plus one, of the cut that is too near.
	takenNear := make([]int, gaps)
	var cuts []int
	for _, k := range order {
		p := &candidates[k]
		switch near := takenNear[p.Gap]; {
		case p.Strength <= cutoff:
			p.Reason = fmt.Sprintf("depth does not exceed the cutoff %.6g", cutoff)
		case near > 0:
			p.Reason = fmt.Sprintf("nearer than min_distance %d to the deeper gap %d", minDistance, near-1)
		default:
			p.Kept = true
			p.Reason = fmt.Sprintf("depth exceeds the cutoff %.6g", cutoff)
			cuts = append(cuts, p.Gap)
			reach := min(minDistance, gaps)
			for i := max(0, p.Gap-reach+1); i < min(gaps, p.Gap+reach); i++ {
				takenNear[i] = p.Gap + 1
			}
		}
	}
	slices.Sort(cuts)
	return cuts
}
