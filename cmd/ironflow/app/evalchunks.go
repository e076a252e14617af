package app

import (
	"context"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/markdown"
	"github.com/ironflow/ironflow/nodes/chunking/quality"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
)

type evalChunksFlags struct {
	evalFlags
	chunkers  []string
	vectors   string
	unit      string
	tokenizer string
}

func (a *App) evalChunksCommand(g *globals) *cobra.Command {
	f := &evalChunksFlags{}
	cmd := &cobra.Command{
		Use:   "chunks FILE|-...",
		Short: "Measure the chunks of your documents, without questions",
		Long: `Cuts files with one or several chunkers and counts what can be seen without a
question: number and sizes, chunks over their limit, the share of the text in
chunks, and the sentences, fenced code blocks and tables that no chunk holds whole.
Duplicates are chunks with the same words as an earlier one.

Below each chunker stand two that know nothing of the text's meaning, at the same
mean size: pieces of a fixed length, and whole sentences, packed.`,
		Example: `  ironflow eval chunks report.md
  ironflow eval chunks docs/*.md --chunker mode=markdown,size=800 --chunker mode=fixed,size=800
  ironflow eval chunks report.md --unit tokens --chunker mode=recursive,size=256,unit=tokens`,
		Args: someArgs("files, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.evalChunks(cmd, g, f, args) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.chunkers, "chunker", []string{
		"mode=recursive,size=1200", "mode=markdown,size=1200", "detector=dp,target_size=800,max_size=1200,sentence_mode=unicode",
	}, chunkerHelp)
	flags.StringVar(&f.vectors, "vectors", "static", vectorsHelp)
	flags.StringVar(&f.unit, "unit", "chars", "what the table counts sizes in: bytes, chars or tokens")
	flags.StringVar(&f.tokenizer, "tokenizer", "", "the encoding of --unit tokens: cl100k_base or o200k_base; without it cl100k_base")
	return cmd
}

// chunksText is a document with its parts.
type chunksText struct {
	name, text string
	parts      quality.Parts
}

func newChunksText(name, text string) chunksText {
	t := chunksText{name: name, text: text}
	t.parts.Sentences = sentence.Unicode(text)
	for _, b := range markdown.Blocks(text) {
		if b.Kind == markdown.Fence {
			t.parts.Fences = append(t.parts.Fences, b.Span)
		} else {
			t.parts.Tables = append(t.parts.Tables, b.Span)
		}
	}
	return t
}

// chunksRow is one row of the table: a chunker, or a baseline of it.
type chunksRow struct {
	name, of string // of is the chunker that a baseline stands below
	limit    string
	files    []quality.ChunkScores
	sum      quality.ChunkScores
}

func (a *App) evalChunks(cmd *cobra.Command, g *globals, f *evalChunksFlags, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.tokenizer != "" && f.unit != "tokens" {
		return usageError("--tokenizer has no effect with --unit %s; use it with --unit tokens", f.unit)
	}
	counter, err := unit.New(f.unit, f.tokenizer)
	if err != nil {
		return usageError("--unit %s: %w", f.unit, err)
	}
	s, err := a.open(g, grants{})
	if err != nil {
		return err
	}
	defer s.close()
	s.logOnce()
	vectors, err := s.vectors(f.vectors)
	if err != nil {
		return err
	}
	chunkers, err := s.chunkers(f.chunkers, vectors, nil)
	if err != nil {
		return err
	}
	if i := slices.Index(paths, "-"); i >= 0 && slices.Contains(paths[i+1:], "-") {
		return usageError("- is given twice; standard input can be read once")
	}
	var texts []chunksText
	for _, path := range paths {
		text, err := s.readDocument(path)
		if err != nil {
			return usageError("%w", err)
		}
		texts = append(texts, newChunksText(path, text))
	}
	var rows []*chunksRow
	for _, c := range chunkers {
		more, err := s.chunksRows(cmd.Context(), c, texts, counter)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	report := chunksReport(f, paths, texts, rows, counter)
	return report.write(cmd.OutOrStdout(), &f.evalFlags)
}

// chunksRows measures a chunker and its baselines.
func (s *session) chunksRows(ctx context.Context, c evalChunker, texts []chunksText, counter unit.Counter) ([]*chunksRow, error) {
	row := &chunksRow{name: c.name}
	count := &quality.ChunkCounter{Size: counter.Count}
	if c.limit > 0 {
		count.Limit, count.Limited = c.limit, c.counter.Count
		row.limit = fmt.Sprintf("%d %s", c.limit, c.counter.Unit())
	}
	chunks, bytes, chars, largest := 0, 0, 0, 0
	for _, t := range texts {
		if err := context.Cause(ctx); err != nil {
			return nil, exitWith(ExitRun, err)
		}
		cut, err := s.cut(ctx, c, t.name, t.text)
		if err != nil {
			return nil, err
		}
		row.add(count, quality.ChunkedText{Text: t.text, Chunks: cut.chunks, Spans: cut.spans, Limited: cut.limited}, t.parts)
		for _, chunk := range cut.chunks {
			n := utf8.RuneCountInString(chunk)
			chunks, bytes, chars, largest = chunks+1, bytes+len(chunk), chars+n, max(largest, n)
		}
	}
	rows := []*chunksRow{row}
	if chunks == 0 {
		return rows, nil
	}
	mean := func(sum int) float64 { return float64(sum) / float64(chunks) }
	fixed, err := fixedBaseline(texts, max(1, int(math.Round(mean(bytes)))))
	if err != nil {
		return nil, exitWith(ExitRun, err)
	}
	packed, err := packedBaseline(texts, mean(chars), largest)
	if err != nil {
		return nil, exitWith(ExitRun, err)
	}
	for _, b := range []chunksBaseline{fixed, packed} {
		row := &chunksRow{name: b.name, of: c.name}
		count := &quality.ChunkCounter{Size: counter.Count}
		for i, t := range texts {
			row.add(count, quality.ChunkedText{Text: t.text, Chunks: chunking.Slices(t.text, b.spans[i]), Spans: b.spans[i]}, t.parts)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (r *chunksRow) add(c *quality.ChunkCounter, t quality.ChunkedText, parts quality.Parts) {
	scores := c.ScoreChunks(t, parts)
	r.files = append(r.files, scores)
	r.sum.Add(scores)
}

// chunksBaseline holds the spans of each text.
type chunksBaseline struct {
	name  string
	spans [][]chunking.Span
}

func fixedBaseline(texts []chunksText, size int) (chunksBaseline, error) {
	b := chunksBaseline{name: fmt.Sprintf("  fixed, %d bytes", size)}
	for _, t := range texts {
		spans, err := chunking.Fixed(t.text, chunking.FixedOptions{Size: size})
		if err != nil {
			return b, err
		}
		b.spans = append(b.spans, chunking.DropBlank(t.text, spans))
	}
	return b, nil
}

func packedBaseline(texts []chunksText, mean float64, largest int) (chunksBaseline, error) {
	list := make([]quality.ControlText, len(texts))
	for i, t := range texts {
		list[i] = quality.ControlText{Text: t.text, Sentences: t.parts.Sentences}
	}
	spans, limit, err := quality.PackedControl(list, mean, largest)
	return chunksBaseline{name: fmt.Sprintf("  sentences packed, %d characters", limit), spans: spans}, err
}
