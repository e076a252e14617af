package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/quality"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/value"
)

// noVectors is the value of --vectors that leaves the search by vectors out.
const noVectors = "none"

type evalRetrievalFlags struct {
	evalFlags
	corpus, questions string
	extensions        []string
	chunkers          []string
	vectors           string
	queryPrefix       string
	k                 []int
}

func (a *App) evalRetrievalCommand(g *globals) *cobra.Command {
	f := &evalRetrievalFlags{}
	cmd := &cobra.Command{
		Use:   "retrieval --corpus DIR --questions FILE",
		Short: "Compare chunkers by what a search finds with their chunks",
		Long: `Chunks the documents of a folder, looks for the chunks that answer each question
among those of all documents, and compares them with the excerpts that the
questions name. A question is a line of JSON:

  {"question": "How high is the tide?", "corpus": "harbour.md",
   "references": [{"content": "The mean range is 1.9 m at springs"}]}

(on one line). Content is looked up in the document; "start" and "end" place it,
in characters from 0, where it occurs more than once. "corpus" is the name of the
file below the folder, its ending may be missing.

  Omega           precision of a search that finds just the chunks with a part of an
                  excerpt: what the chunker alone decides
  recall@k        share of the excerpts in the k best chunks
  within n        share of the excerpts in the best chunks, read up to n characters
  precision, IoU  share of excerpts in what was read, and of both in their union

Everything counts characters. Searches go by words (bm25), by vectors (dense) and
by both (hybrid), as the node ai_rank does. Large chunks raise recall@k and small
ones Omega, so every chunker has a control beside it that packs whole sentences to
the same mean size, and knows nothing else of the text.`,
		Example: `  ironflow eval retrieval --corpus docs --questions questions.jsonl
  ironflow eval retrieval --corpus docs --questions questions.jsonl \
    --chunker mode=markdown,size=800 --chunker detector=dp,target_size=400,max_size=800`,
		Args: exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.evalRetrieval(cmd, g, f) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.corpus, "corpus", "", "`FOLDER` with the documents, or one file")
	flags.StringVar(&f.questions, "questions", "", "`FILE` with the questions, one JSON object a line")
	flags.StringSliceVar(&f.extensions, "extensions", []string{"md", "markdown", "txt"}, "ends of the names of documents")
	flags.StringArrayVar(&f.chunkers, "chunker", []string{"mode=recursive,size=800", "detector=dp,target_size=600,max_size=1200,sentence_mode=unicode"}, chunkerHelp)
	flags.StringVar(&f.vectors, "vectors", "hybrid", "who makes the vectors that are searched: a model inside the binary, the parameters of another provider, such as 'provider=ollama,model=nomic-embed-text,cache_dir=vectors', or none; chunkers have a provider and model of their own")
	flags.StringVar(&f.queryPrefix, "query-prefix", "", "text put before a question when it is embedded, in place of the prefix of the documents")
	flags.IntSliceVar(&f.k, "k", []int{5, 10}, "numbers of chunks that a search finds; precision and IoU are those of the first")
	return cmd
}

func (f *evalRetrievalFlags) check() error {
	if err := f.evalFlags.check(); err != nil {
		return err
	}
	const most = 1000
	switch {
	case f.corpus == "":
		return usageError("--corpus is missing; name the folder with the documents")
	case f.questions == "":
		return usageError("--questions is missing; name the file with one question a line")
	case len(f.k) == 0:
		return usageError("--k has no number")
	case len(f.extensions) == 0:
		return usageError("--extensions has none")
	case len(f.chunkers) == 0:
		return usageError("--chunker is missing; give at least one")
	}
	for i, k := range f.k {
		if k < 1 || k > most || slices.Contains(f.k[:i], k) {
			return usageError("--k: got %d, allowed: different numbers from 1 to %d", k, most)
		}
	}
	return nil
}

func (a *App) evalRetrieval(cmd *cobra.Command, g *globals, f *evalRetrievalFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	s, err := a.open(g, grants{})
	if err != nil {
		return err
	}
	defer s.close()
	s.logOnce()
	// A chunker takes the model that its node takes, whatever is searched.
	chunkers, err := s.chunkers(f.chunkers, nil, map[string]any{"provider": "local"})
	if err != nil {
		return err
	}
	var vectors *evalVectors
	if f.vectors != noVectors {
		if vectors, err = s.vectors(f.vectors); err != nil {
			return err
		}
	}
	corpus, err := s.readCorpus(f.corpus, f.extensions, f.questions)
	if err != nil {
		return err
	}
	questions, err := s.readQuestions(f.questions, corpus)
	if err != nil {
		return err
	}
	search, err := s.newSearch(cmd.Context(), f, vectors, questions)
	if err != nil {
		return err
	}
	var results []*retrievalResult
	for i, c := range chunkers {
		both, err := s.measureChunker(cmd.Context(), search, c, chunkerLabel(i), corpus)
		if err != nil {
			return err
		}
		results = append(results, both...)
	}
	return retrievalReport(f, corpus, questions, results).write(cmd.OutOrStdout(), &f.evalFlags)
}

// chunkerLabel names a chunker in tables, where its setting would be too long.
func chunkerLabel(i int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return fmt.Sprintf("%s%d", letters[i%len(letters):i%len(letters)+1], i/len(letters)+1)
}

// measureChunker cuts the corpus, and packs its control, and searches both.
func (s *session) measureChunker(ctx context.Context, search *retrievalSearch, c evalChunker, label string, corpus []corpusText) ([]*retrievalResult, error) {
	r := &retrievalResult{label: label, setting: c.name}
	for i, d := range corpus {
		cut, err := s.cut(ctx, c, d.name, d.text)
		if err != nil {
			return nil, err
		}
		r.add(i, d.text, cut.spans, cut.texts)
	}
	if !slices.ContainsFunc(r.texts, func(text string) bool { return strings.TrimSpace(text) != "" }) {
		return nil, exitWith(ExitRun, fmt.Errorf("--chunker %q makes no chunk with text in it of this corpus", c.name))
	}
	control, err := controlOf(c, r, corpus)
	if err != nil {
		return nil, err
	}
	for _, each := range []*retrievalResult{r, control} {
		if err := s.measure(ctx, search, each); err != nil {
			return nil, err
		}
	}
	return []*retrievalResult{r, control}, nil
}

// controlOf packs the sentences that the chunker itself goes by to the mean size
// of its chunks.
func controlOf(c evalChunker, r *retrievalResult, corpus []corpusText) (*retrievalResult, error) {
	split, err := sentencesOf(c)
	if err != nil {
		return nil, err
	}
	texts := make([]quality.ControlText, len(corpus))
	for i, d := range corpus {
		texts[i] = quality.ControlText{Text: d.text, Sentences: split(d.text)}
	}
	_, mean, largest := quality.ChunkSizes(r.chunks)
	packed, limit, err := quality.PackedControl(texts, mean, largest)
	if err != nil {
		return nil, exitWith(ExitRun, err)
	}
	control := &retrievalResult{
		label: r.label + " control", control: true,
		setting: fmt.Sprintf("whole sentences, up to %d characters", limit),
	}
	for i, spans := range packed {
		control.add(i, corpus[i].text, spans, chunking.Slices(corpus[i].text, spans))
	}
	return control, nil
}

// sentencesOf finds sentences as a chunker does; one that knows none gets those of
// Unicode's rules.
func sentencesOf(c evalChunker) (func(string) []chunking.Span, error) {
	call, err := nodes.NewCall(&c.node.Spec, c.raw, nodes.Host{Env: &nodes.Env{}, View: value.Map{}})
	if err != nil {
		return nil, usageError("--chunker %q: %w", c.name, err)
	}
	mode := "unicode"
	for _, p := range c.node.Spec.Params {
		if p.Name == "sentence_mode" && call.Has(p.Name) {
			mode = call.String(p.Name)
		}
	}
	switch mode {
	case "ascii":
		return sentence.ASCII, nil
	case "lines":
		return sentence.Lines, nil
	}
	return sentence.Unicode, nil
}

// joinLines puts each part on a line of its own.
func joinLines(list []string) string { return strings.Join(list, "\n") }
