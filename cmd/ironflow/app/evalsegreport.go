package app

import (
	"math"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

// segMeasures are the columns of both tables.
func segMeasures() []struct {
	evalColumn
	of func(quality.Scores) float64
} {
	type measure = struct {
		evalColumn
		of func(quality.Scores) float64
	}
	return []measure{
		{evalColumn{"pk", "Pk"}, func(s quality.Scores) float64 { return s.Pk }},
		{evalColumn{"window_diff", "WindowDiff"}, func(s quality.Scores) float64 { return s.WindowDiff }},
		{evalColumn{"boundary_similarity", "B"}, func(s quality.Scores) float64 { return s.Similarity }},
		{evalColumn{"f1", "F1 within 1"}, func(s quality.Scores) float64 { return s.F1 }},
	}
}

func segReport(f *evalSegFlags, paths []string, methods []*segMethod, leftOut int) *evalReport {
	sum := quality.Summarize(methods[0].scores)
	r := &evalReport{facts: []evalFact{
		{"data", "data", paths},
		{"texts", "texts", sum.Texts},
		{"vectors", "vectors", f.vectors},
		{"true_segments", "true segments in a text", math.Round(sum.TrueSegments.Value*100) / 100},
	}}
	if leftOut > 0 {
		r.facts = append(r.facts, evalFact{"texts_left_out", "longer texts left out", leftOut})
	}
	scores := evalTable{key: "scores", title: "Means over texts, with standard errors", columns: []evalColumn{{"method", "method"}}}
	differences := evalTable{
		key: "differences", title: "Method less baseline on the same texts, with 95 % bootstrap intervals",
		columns: []evalColumn{{"method", "method"}, {"against", "against"}},
	}
	measures := segMeasures()
	for _, m := range measures {
		scores.columns = append(scores.columns, m.evalColumn)
		differences.columns = append(differences.columns, m.evalColumn)
	}
	scores.columns = append(scores.columns, evalColumn{"segments", "segments"})
	for _, m := range methods {
		row := []evalCell{nameCell(m.name)}
		segments := make([]float64, len(m.scores))
		for i, s := range m.scores {
			segments[i] = float64(s.Segments)
		}
		for _, measure := range measures {
			values := make([]float64, len(m.scores))
			for i, s := range m.scores {
				values[i] = measure.of(s)
			}
			row = append(row, meanCell(quality.MeanOf(values), 3))
		}
		scores.rows = append(scores.rows, append(row, meanCell(quality.MeanOf(segments), 1)))
		for _, other := range methods {
			if m.baseline || !other.baseline && other != methods[0] || other == m {
				continue
			}
			row := []evalCell{nameCell(m.name), nameCell(other.name)}
			for _, measure := range measures {
				diff := make([]float64, len(m.scores))
				for i := range diff {
					diff[i] = measure.of(m.scores[i]) - measure.of(other.scores[i])
				}
				row = append(row, intervalCell(f.interval(diff), 3))
			}
			differences.rows = append(differences.rows, row)
		}
	}
	r.tables = []evalTable{scores, differences}
	r.remarks = []string{
		"Pk and WindowDiff count errors (lower is better), B and F1 agreement (higher is better).",
		"An interval that holds 0 says that these texts do not tell the two apart.",
	}
	return r
}
