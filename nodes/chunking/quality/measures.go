package quality

import "math"

// Window returns the width that [Pk] and [WindowDiff] use: half the mean length
// of the true segments, rounded to the nearest number (halves up), at least 1.
func Window(truth Segmentation) int {
	half := float64(truth.Units) / float64(2*truth.Segments())
	return max(1, int(math.Floor(half+0.5)))
}

// Pk returns the share of pairs of units, [Window] apart, that one segmentation
// puts into one segment and the other into two (Beeferman, Berger and Lafferty
// 1999, "Statistical models for text segmentation"). A text too short for the
// window has no pair and no error.
//
// Segmentations that are none, or of different texts, are an error.
func Pk(truth, proposed Segmentation) (float64, error) {
	return windowed(truth, proposed, func(inTruth, inProposed int) bool {
		return (inTruth == 0) != (inProposed == 0)
	})
}

// WindowDiff returns the share of windows, as wide as [Window], that hold another
// number of boundaries in the proposed segmentation than in the true one (Pevzner
// and Hearst 2002, "A critique and improvement of an evaluation metric for text
// segmentation"). A text too short for the window has no error.
//
// Segmentations that are none, or of different texts, are an error.
func WindowDiff(truth, proposed Segmentation) (float64, error) {
	return windowed(truth, proposed, func(inTruth, inProposed int) bool {
		return inTruth != inProposed
	})
}

// windowed returns the share of windows that are wrong, given the boundaries that
// each segmentation has in them.
func windowed(truth, proposed Segmentation, wrong func(inTruth, inProposed int) bool) (float64, error) {
	if err := checkPair(truth, proposed); err != nil {
		return 0, err
	}
	k := Window(truth)
	windows := truth.Units - k
	if windows <= 0 {
		return 0, nil
	}
	t, p := truth.segmentOf(), proposed.segmentOf()
	errors := 0
	for i := range windows {
		if wrong(t[i+k]-t[i], p[i+k]-p[i]) {
			errors++
		}
	}
	return float64(errors) / float64(windows), nil
}

// BoundarySimilarity returns B of Fournier (2013), "Evaluating text segmentation
// using boundary edit distance": one minus the cost of turning one segmentation
// into the other, over matches and edits. A boundary on one side alone costs 1; a
// near miss, two boundaries one unit apart, is one edit (a transposition over
// n_t = 2 gaps) and costs 1/2. Two segmentations without boundaries are equal: 1.
//
// Segmentations that are none, or of different texts, are an error.
func BoundarySimilarity(truth, proposed Segmentation) (float64, error) {
	if err := checkPair(truth, proposed); err != nil {
		return 0, err
	}
	// Exact matches go first; near misses pair up what is left over.
	onlyTruth, onlyProposed, matches := difference(truth.Cuts, proposed.Cuts)
	near := pairs(onlyTruth, onlyProposed, 1)
	missed := len(onlyTruth) + len(onlyProposed) - 2*near
	all := matches + near + missed
	if all == 0 {
		return 1, nil
	}
	return 1 - (float64(missed)+float64(near)/2)/float64(all), nil
}

// Agreement is what [F1] returns.
type Agreement struct {
	// Precision is the share of proposed boundaries that are true, Recall that of
	// true ones that are proposed, F1 their harmonic mean; all in 0..1.
	Precision, Recall, F1 float64
}

// F1 returns precision, recall and their harmonic mean over boundaries, where a
// proposed boundary is right if a true one lies at most tolerance units away;
// every boundary counts for one other, and as many as possible are matched. Where
// both have no boundary all three are 1, where one has none all are 0.
//
// Segmentations that are none, or of different texts, are an error.
func F1(truth, proposed Segmentation, tolerance int) (Agreement, error) {
	if err := checkPair(truth, proposed); err != nil {
		return Agreement{}, err
	}
	if len(truth.Cuts) == 0 && len(proposed.Cuts) == 0 {
		return Agreement{1, 1, 1}, nil
	}
	right := float64(pairs(truth.Cuts, proposed.Cuts, tolerance))
	if right == 0 {
		return Agreement{}, nil
	}
	return Agreement{
		Precision: right / float64(len(proposed.Cuts)),
		Recall:    right / float64(len(truth.Cuts)),
		F1:        2 * right / float64(len(truth.Cuts)+len(proposed.Cuts)),
	}, nil
}

// pairs returns the most pairs, one of each rising list and none used twice, that
// lie at most tolerance apart. Taking the leftmost partner is never worse than
// another choice, since all reach equally far.
func pairs(a, b []int, tolerance int) int {
	count := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch d := a[i] - b[j]; {
		case d > tolerance:
			j++
		case d < -tolerance:
			i++
		default:
			count++
			i++
			j++
		}
	}
	return count
}

// difference splits two rising lists into what only one has and the number of
// values that both have.
func difference(a, b []int) (onlyA, onlyB []int, both int) {
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i] < b[j]:
			onlyA = append(onlyA, a[i])
			i++
		case i == len(a) || b[j] < a[i]:
			onlyB = append(onlyB, b[j])
			j++
		default:
			both++
			i++
			j++
		}
	}
	return onlyA, onlyB, both
}
