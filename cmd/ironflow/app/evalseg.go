package app

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

// scatterMethod is the method that is no chunker; see [quality.Scatter].
const scatterMethod = "scatter"

type evalSegFlags struct {
	evalFlags
	chunkers     []string
	vectors      string
	format       string
	maxSentences int
}

func (a *App) evalSegCommand(g *globals) *cobra.Command {
	f := &evalSegFlags{}
	cmd := &cobra.Command{
		Use:   "seg DATA...",
		Short: "Compare where chunkers cut with where the topic changes",
		Long: `Cuts texts whose topic changes are known, and compares. DATA is a file, or a
folder with files that end in .ref or .jsonl, in one of two formats; several are
one set:

  Choi's      one sentence a line, lines of ========== between the segments
  JSON lines  {"id": "a", "segments": [["A sentence.", "Another."], ["New topic."]]}

Pk and WindowDiff are shares of errors: lower is better. B (boundary similarity)
and F1 within one sentence are shares of agreement: higher is better. Beside the
chunkers stand cuts that know nothing of the text: none, all, every k (k is the
mean true length) and random (with the true number of segments).

Chunkers get the text with one sentence a line; sentence_mode is "lines" for
semantic ones if not set. The method "scatter" is no chunker: it is told the true
number of segments and divides the vectors with the least scatter, which shows how
well they tell topics apart.`,
		Example: `  ironflow eval seg testdata/corpora/wiki300
  ironflow eval seg choi --chunker detector=topic --chunker detector=depth --chunker scatter
  ironflow eval seg mine.jsonl --chunker mode=recursive,size=600 --json`,
		Args: someArgs("files or folders"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.evalSeg(cmd, g, f, args) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.chunkers, "chunker", []string{"detector=topic", scatterMethod}, chunkerHelp+"; or "+scatterMethod)
	flags.StringVar(&f.vectors, "vectors", "static", vectorsHelp)
	flags.StringVar(&f.format, "format", segAuto, "format of the files: choi, jsonl, or auto, which goes by their names")
	flags.IntVar(&f.maxSentences, "max-sentences", 0, "leave out texts that are longer; 0 for none")
	return cmd
}

func (f *evalSegFlags) check() error {
	if err := f.evalFlags.check(); err != nil {
		return err
	}
	if formats := []string{segAuto, segChoi, segJSONL}; !slices.Contains(formats, f.format) {
		return usageError("--format: got %q, allowed: %s", f.format, strings.Join(formats, ", "))
	}
	if f.maxSentences < 0 {
		return usageError("--max-sentences: got %d, allowed: a number from 0 on", f.maxSentences)
	}
	return nil
}

// segMethod is one row of the tables.
type segMethod struct {
	name     string
	baseline bool
	segment  func(ctx context.Context, t *segText, number int) (quality.Segmentation, error)
	scores   []quality.Scores
}

func (a *App) evalSeg(cmd *cobra.Command, g *globals, f *evalSegFlags, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	s, err := a.open(g, grants{})
	if err != nil {
		return err
	}
	defer s.close()
	s.logOnce()
	methods, err := s.segMethods(f)
	if err != nil {
		return err
	}
	var texts []segText
	for _, path := range paths {
		more, err := s.readSegData(path, f.format)
		if err != nil {
			return err
		}
		texts = append(texts, more...)
	}
	read := len(texts)
	if f.maxSentences > 0 {
		texts = slices.DeleteFunc(texts, func(t segText) bool { return t.truth.Units > f.maxSentences })
	}
	if len(texts) == 0 {
		return usageError("none of the %s has at most %d sentences; raise --max-sentences", count(read, "text"), f.maxSentences)
	}
	for i := range texts {
		if err := context.Cause(cmd.Context()); err != nil {
			return exitWith(ExitRun, err)
		}
		for _, m := range methods {
			got, err := m.segment(cmd.Context(), &texts[i], i)
			if err != nil {
				return err
			}
			score, err := quality.Score(texts[i].truth, got)
			if err != nil {
				return exitWith(ExitRun, fmt.Errorf("%s: %s: %w", texts[i].name, m.name, err))
			}
			m.scores = append(m.scores, score)
		}
	}
	report := segReport(f, paths, methods, read-len(texts))
	return report.write(cmd.OutOrStdout(), &f.evalFlags)
}

// segMethods are the chunkers that the flags ask for, then the baselines.
func (s *session) segMethods(f *evalSegFlags) ([]*segMethod, error) {
	vectors, err := s.vectors(f.vectors)
	if err != nil {
		return nil, err
	}
	if err := eachOnce(f.chunkers); err != nil {
		return nil, err
	}
	var methods []*segMethod
	for _, setting := range f.chunkers {
		if setting == scatterMethod {
			methods = append(methods, &segMethod{name: setting, segment: s.scatter(vectors)})
			continue
		}
		list, err := s.chunkers([]string{setting}, vectors, map[string]any{"sentence_mode": "lines"})
		if err != nil {
			return nil, err
		}
		methods = append(methods, &segMethod{name: setting, segment: s.segmenter(list[0])})
	}
	baseline := func(name string, cut func(truth quality.Segmentation, number int) quality.Segmentation) {
		methods = append(methods, &segMethod{name: name, baseline: true,
			segment: func(_ context.Context, t *segText, number int) (quality.Segmentation, error) {
				return cut(t.truth, number), nil
			}})
	}
	baseline("none", func(truth quality.Segmentation, _ int) quality.Segmentation { return quality.None(truth.Units) })
	baseline("all", func(truth quality.Segmentation, _ int) quality.Segmentation { return quality.All(truth.Units) })
	baseline("every k", func(truth quality.Segmentation, _ int) quality.Segmentation {
		return quality.Every(truth.Units, int(math.Round(float64(truth.Units)/float64(truth.Segments()))))
	})
	baseline("random", func(truth quality.Segmentation, number int) quality.Segmentation {
		return quality.Random(truth.Units, truth.Segments(), f.seed+uint64(number))
	})
	return methods, nil
}

// segmenter runs a chunker through its node.
func (s *session) segmenter(c evalChunker) func(context.Context, *segText, int) (quality.Segmentation, error) {
	return func(ctx context.Context, t *segText, _ int) (quality.Segmentation, error) {
		cut, err := s.cut(ctx, c, t.name, t.text)
		if err != nil {
			return quality.Segmentation{}, err
		}
		return t.cuts(cut.spans), nil
	}
}

func (s *session) scatter(v *evalVectors) func(context.Context, *segText, int) (quality.Segmentation, error) {
	return func(ctx context.Context, t *segText, _ int) (quality.Segmentation, error) {
		m, err := s.vectorsOf(ctx, v, t.name, t.sentences())
		if err != nil {
			return quality.Segmentation{}, err
		}
		got, err := quality.Scatter(m, t.truth.Segments())
		if err != nil {
			return quality.Segmentation{}, exitWith(ExitRun, fmt.Errorf("%s: scatter: %w", t.name, err))
		}
		return got, nil
	}
}
