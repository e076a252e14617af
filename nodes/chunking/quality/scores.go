package quality

import "math"

// Scores holds every measure for one text.
type Scores struct {
	// Pk and WindowDiff are error rates: lower is better.
	Pk, WindowDiff float64
	// Similarity is the boundary similarity B, F1 that of boundaries within one
	// unit: higher is better.
	Similarity, F1 float64
	// Segments and TrueSegments are counts.
	Segments, TrueSegments int
}

// Score returns all measures of a proposed segmentation. Segmentations that are
// none, or of different texts, are an error.
func Score(truth, proposed Segmentation) (Scores, error) {
	if err := checkPair(truth, proposed); err != nil {
		return Scores{}, err
	}
	s := Scores{Segments: proposed.Segments(), TrueSegments: truth.Segments()}
	// No error is left: the pair was checked above.
	s.Pk, _ = Pk(truth, proposed)
	s.WindowDiff, _ = WindowDiff(truth, proposed)
	s.Similarity, _ = BoundarySimilarity(truth, proposed)
	agreement, _ := F1(truth, proposed, 1)
	s.F1 = agreement.F1
	return s, nil
}

// Mean is the mean of a measure over texts, with its standard error.
type Mean struct {
	Value, StandardError float64
}

// MeanOf returns the mean of values and its standard error: the standard
// deviation of the sample over the square root of their number. No value gives
// zeros, one value no error.
func MeanOf(values []float64) Mean {
	n := float64(len(values))
	if n == 0 {
		return Mean{}
	}
	var m Mean
	for _, v := range values {
		m.Value += v / n
	}
	if n > 1 {
		square := 0.0
		for _, v := range values {
			d := v - m.Value
			square += float64(d * d)
		}
		m.StandardError = math.Sqrt(square / (n - 1) / n)
	}
	return m
}

// Summary is the mean of every measure over texts.
type Summary struct {
	Texts                          int
	Pk, WindowDiff, Similarity, F1 Mean
	Segments, TrueSegments         Mean
}

// Summarize averages scores, each text counting the same.
func Summarize(scores []Scores) Summary {
	of := func(measure func(Scores) float64) Mean {
		values := make([]float64, len(scores))
		for i, s := range scores {
			values[i] = measure(s)
		}
		return MeanOf(values)
	}
	return Summary{
		Texts:        len(scores),
		Pk:           of(func(s Scores) float64 { return s.Pk }),
		WindowDiff:   of(func(s Scores) float64 { return s.WindowDiff }),
		Similarity:   of(func(s Scores) float64 { return s.Similarity }),
		F1:           of(func(s Scores) float64 { return s.F1 }),
		Segments:     of(func(s Scores) float64 { return float64(s.Segments) }),
		TrueSegments: of(func(s Scores) float64 { return float64(s.TrueSegments) }),
	}
}
