package app

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
)

// cutCell says how many parts are cut.
func cutCell(c quality.Cut) evalCell {
	if c.Of == 0 {
		return noCell()
	}
	return evalCell{text: strconv.Itoa(c.Cut) + " of " + strconv.Itoa(c.Of), parts: []evalPart{
		{json: "cut", value: float64(c.Cut)}, {suffix: "_of", json: "of", value: float64(c.Of)},
	}}
}

func chunksReport(f *evalChunksFlags, paths []string, texts []chunksText, rows []*chunksRow, counter unit.Counter) *evalReport {
	size := 0
	for _, t := range texts {
		size += counter.Count(t.text)
	}
	r := &evalReport{facts: []evalFact{{"files", "files", paths}, {"size", "size in " + counter.Unit(), size}, {"vectors", "vectors", f.vectors}}}
	table := evalTable{key: "chunks", title: "Chunks, sizes in " + counter.Unit() + " with the standard error of the mean", columns: []evalColumn{
		{"method", "method"}, {"as_large_as", ""}, {"chunks", "chunks"}, {"mean_size", "mean size"}, {"median_size", "median"},
		{"largest_size", "largest"}, {"limit", "limit"}, {"over_limit", "over"}, {"coverage_percent", "covered %"}, {"repeated_percent", "repeated %"},
		{"sentences_cut", "sentences cut"}, {"fences_cut", "fences cut"}, {"tables_cut", "tables cut"}, {"duplicates", "duplicates"},
	}}
	for _, row := range rows {
		table.rows = append(table.rows, row.cells())
	}
	r.tables = append(r.tables, table)
	r.remarks = []string{"A sentence, fence or table is cut when no chunk holds it whole. The indented rows are baselines of the row above."}
	if len(texts) > 1 {
		r.tables = append(r.tables, chunksDifferences(f, rows))
	} else {
		r.remarks = append(r.remarks, "Give several files for paired differences with intervals: they are drawn over files.")
	}
	return r
}

func (r *chunksRow) cells() []evalCell {
	sizes := make([]float64, len(r.sum.Sizes))
	for i, n := range r.sum.Sizes {
		sizes[i] = float64(n)
	}
	of, limit, over, largest, repeated := noCell(), noCell(), noCell(), 0, 0.0
	if r.of != "" {
		of = nameCell(r.of)
	}
	if r.limit != "" {
		limit, over = nameCell(r.limit), countCell(r.sum.Over)
	}
	if len(r.sum.Sizes) > 0 {
		largest = slices.Max(r.sum.Sizes)
	}
	if r.sum.Ink > 0 {
		repeated = 100 * float64(r.sum.Repeated) / float64(r.sum.Ink)
	}
	name := nameCell(r.name)
	name.name = strings.TrimSpace(r.name)
	return []evalCell{
		name, of, countCell(len(sizes)), meanCell(quality.MeanOf(sizes), 1), numberCell(quality.Median(r.sum.Sizes), 1), countCell(largest),
		limit, over, numberCell(100*r.sum.Coverage(), 3), numberCell(repeated, 1),
		cutCell(r.sum.Sentences), cutCell(r.sum.Fences), cutCell(r.sum.Tables), countCell(r.sum.Duplicates),
	}
}

// chunksDifferences compares each chunker with its baselines, file by file.
func chunksDifferences(f *evalChunksFlags, rows []*chunksRow) evalTable {
	blocks := func(s quality.ChunkScores) float64 {
		return quality.Cut{Of: s.Fences.Of + s.Tables.Of, Cut: s.Fences.Cut + s.Tables.Cut}.Share()
	}
	measures := []struct {
		evalColumn
		of func(quality.ChunkScores) float64
	}{
		{evalColumn{"sentences_cut", "sentences cut"}, func(s quality.ChunkScores) float64 { return s.Sentences.Share() }},
		{evalColumn{"blocks_cut", "fences and tables cut"}, blocks},
		{evalColumn{"coverage", "covered"}, quality.ChunkScores.Coverage},
	}
	t := evalTable{
		key: "differences", title: "Chunker less baseline on the same files: shares, means over files with 95 % bootstrap intervals",
		columns: []evalColumn{{"method", "method"}, {"against", "against"}},
	}
	for _, m := range measures {
		t.columns = append(t.columns, m.evalColumn)
	}
	var chunker *chunksRow
	for _, row := range rows {
		if row.of == "" {
			chunker = row
			continue
		}
		cells := []evalCell{nameCell(chunker.name), nameCell(strings.TrimSpace(row.name))}
		for _, m := range measures {
			diff := make([]float64, len(row.files))
			for i := range diff {
				diff[i] = m.of(chunker.files[i]) - m.of(row.files[i])
			}
			cells = append(cells, intervalCell(f.interval(diff), 3))
		}
		t.rows = append(t.rows, cells)
	}
	return t
}
