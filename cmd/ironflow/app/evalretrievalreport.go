package app

import (
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

// retrievalReport makes the tables. Results are chunkers, each followed by its
// control.
func retrievalReport(f *evalRetrievalFlags, corpus []corpusText, questions []corpusQuestion, results []*retrievalResult) *evalReport {
	size, references := 0, 0
	for _, d := range corpus {
		size += utf8.RuneCountInString(d.text)
	}
	for _, q := range questions {
		references += len(q.references)
	}
	r := &evalReport{
		facts: []evalFact{
			{"corpus", "corpus", f.corpus},
			{"documents", "documents", len(corpus)},
			{"characters", "characters", size},
			{"questions", "questions", len(questions)},
			{"references", "references", references},
			{"vectors", "vectors", f.vectors},
		},
		tables: []evalTable{chunksTable(results)},
		remarks: []string{
			"The control packs whole sentences to the mean size of the chunker and knows nothing else of the text.",
			"An interval that holds 0 says that these questions do not tell the two apart.",
		},
	}
	modes := []string{"bm25", "dense", "hybrid"}[:len(results[0].values)]
	measures := retrievalMeasures(f.k)
	r.tables = append(r.tables, searchTable(results, modes, measures))
	omega, found := differenceTables(measures)
	for i, each := range results {
		if each.control {
			continue
		}
		others := []*retrievalResult{results[i+1]}
		if i > 0 {
			others = append(others, results[0])
		}
		for _, other := range others {
			omega.rows = append(omega.rows, []evalCell{
				nameCell(each.label), nameCell(other.label), intervalCell(f.interval(differences(each.omega, other.omega)), 4),
			})
			for m, mode := range modes {
				row := []evalCell{nameCell(each.label), nameCell(other.label), nameCell(mode)}
				for k, measure := range measures {
					if measure.inDifferences {
						row = append(row, intervalCell(f.interval(differences(each.values[m][k], other.values[m][k])), 3))
					}
				}
				found.rows = append(found.rows, row)
			}
		}
	}
	r.tables = append(r.tables, omega, found)
	return r
}

func chunksTable(results []*retrievalResult) evalTable {
	t := evalTable{key: "chunks", title: "Chunks, their sizes in characters, and Precision-Omega with its standard error", columns: []evalColumn{
		{"chunker", "chunker"}, {"chunks", "chunks"}, {"mean_size", "mean"}, {"largest", "largest"},
		{"precision_omega", "Omega"}, {"setting", "setting"},
	}}
	for _, each := range results {
		n, mean, largest := quality.ChunkSizes(each.chunks)
		t.rows = append(t.rows, []evalCell{
			nameCell(each.label), countCell(n), numberCell(mean, 1), countCell(largest),
			meanCell(quality.MeanOf(each.omega), 3), nameCell(each.setting),
		})
	}
	return t
}

func searchTable(results []*retrievalResult, modes []string, measures []retrievalMeasure) evalTable {
	t := evalTable{key: "searches", title: "What searches find: means over questions, with standard errors",
		columns: []evalColumn{{"chunker", "chunker"}, {"search", "search"}}}
	for _, m := range measures {
		t.columns = append(t.columns, m.evalColumn)
	}
	for _, each := range results {
		for m, mode := range modes {
			row := []evalCell{nameCell(each.label), nameCell(mode)}
			for k := range measures {
				row = append(row, meanCell(quality.MeanOf(each.values[m][k]), 3))
			}
			t.rows = append(t.rows, row)
		}
	}
	return t
}

// differenceTables are those of Omega, which no search decides, and of searches.
func differenceTables(measures []retrievalMeasure) (omega, found evalTable) {
	columns := []evalColumn{{"chunker", "chunker"}, {"against", "against"}}
	omega = evalTable{key: "omega_differences", title: "Omega: chunker less control, and less chunker A, on the same questions, with 95 % bootstrap intervals",
		columns: append(columns[:2:2], evalColumn{"precision_omega", "Omega"})}
	found = evalTable{key: "search_differences", title: "Searches: the same differences",
		columns: append(columns[:2:2], evalColumn{"search", "search"})}
	for _, m := range measures {
		if m.inDifferences {
			found.columns = append(found.columns, m.evalColumn)
		}
	}
	return omega, found
}

func differences(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}
