package semantic

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Detectors, by the names flow authors use.
const (
	DetectorSavgol = "savgol"
	DetectorDepth  = "depth"
	DetectorDP     = "dp"
	DetectorTopic  = "topic"
	// DetectorAuto is dp when a target or maximum is given, else topic.
	DetectorAuto = "auto"
)

// DetectorNames returns the names of all detectors, the default first.
func DetectorNames() []string {
	return []string{DetectorSavgol, DetectorDepth, DetectorDP, DetectorTopic, DetectorAuto}
}

// Measure counts text in a unit: bytes, characters, tokens.
type Measure interface {
	// Count returns the size of text: at least 0 and at most its bytes.
	Count(text string) int
}

// SegmentOptions says how [Segment] cuts. The zero values of all but Detector and
// Savgol switch their option off.
type SegmentOptions struct {
	// Detector is one of [DetectorNames].
	Detector string
	// Savgol steers the detector of that name. Its MinDistance also holds for
	// depth, and for cuts that a maximum adds.
	Savgol Options
	// TargetSize is the wanted size of a chunk; for dp and auto only.
	TargetSize int
	// MaxSize is the most that a chunk may measure, whatever the detector.
	MaxSize int
	// MinSize is the least that a chunk should measure: a smaller one joins the
	// more similar neighbour as long as MaxSize is kept.
	MinSize int
	// Overlap is how many of the last sentences of a chunk the next one repeats.
	Overlap int
	// Unit measures the sizes; required with any of them.
	Unit Measure
	// Additive says that a text measures as much as its parts, as in bytes and
	// characters. Lengths inside a detector then hold the white space between
	// sentences; otherwise they are the sum over the sentences.
	Additive bool
	// Joined makes the text of a chunk its sentences joined by one space instead
	// of the slice of the source. Sizes are those of the text a chunk gets.
	Joined bool
	// CutSentence cuts a sentence that alone is larger than MaxSize into spans of
	// it, in order, that are not; required with MaxSize.
	CutSentence func(sentence string) ([]chunking.Span, error)
	// Explain asks for Segments.Explanation.
	Explain bool
}

// Check returns a [*chunking.OptionError] for the first option out of range or at
// odds with another.
func (o SegmentOptions) Check() error {
	if err := o.Savgol.Check(); err != nil {
		return err
	}
	detector := o.resolve()
	anySize := o.TargetSize > 0 || o.MaxSize > 0 || o.MinSize > 0
	refuse := func(param string, value any, allowed string) error {
		return &chunking.OptionError{Param: param, Value: value, Allowed: allowed}
	}
	const fromOne = "a whole number from 1 on"
	switch {
	case detector == "":
		return refuse("detector", o.Detector, strings.Join(DetectorNames(), ", "))
	case o.TargetSize < 0:
		return refuse("target_size", o.TargetSize, fromOne)
	case o.MaxSize < 0:
		return refuse("max_size", o.MaxSize, fromOne)
	case o.MinSize < 0:
		return refuse("min_size", o.MinSize, fromOne)
	case o.Overlap < 0:
		return refuse("overlap", o.Overlap, "a number of sentences from 0 on")
	case o.TargetSize > 0 && detector != DetectorDP:
		return refuse("target_size", o.TargetSize, fmt.Sprintf(`only with detector "dp" or "auto", not with %q; use max_size there`, o.Detector))
	case detector == DetectorDP && o.TargetSize == 0 && o.MaxSize == 0:
		return refuse("detector", o.Detector, `"dp" only together with target_size or max_size`)
	case o.MaxSize > 0 && o.TargetSize > o.MaxSize:
		return refuse("target_size", o.TargetSize, fmt.Sprintf("at most max_size (%d)", o.MaxSize))
	case o.MaxSize > 0 && o.MinSize > o.MaxSize:
		return refuse("min_size", o.MinSize, fmt.Sprintf("at most max_size (%d)", o.MaxSize))
	case anySize && o.Unit == nil:
		return refuse("unit", nil, "bytes, chars or tokens")
	case o.MaxSize > 0 && o.CutSentence == nil:
		return errors.New("max_size needs a function that cuts long sentences; set CutSentence")
	}
	return nil
}

// resolve returns the detector to run, "" for an unknown name.
func (o SegmentOptions) resolve() string {
	switch o.Detector {
	case DetectorSavgol, DetectorDepth, DetectorDP, DetectorTopic:
		return o.Detector
	case DetectorAuto:
		if o.TargetSize > 0 || o.MaxSize > 0 {
			return DetectorDP
		}
		return DetectorTopic
	}
	return ""
}

// Segments is the result of [Segment]. Texts, Spans and Sentences have one entry
// per chunk.
type Segments struct {
	// Texts are the chunks.
	Texts []string
	// Spans place each chunk in the source, in bytes. Starts and stops rise.
	Spans []chunking.Span
	// Sentences holds, for each chunk, the numbers of its first and, exclusive,
	// last sentence; a sentence that was cut is in several chunks.
	Sentences []chunking.Span
	// Detector is the one that ran; "" if none had to.
	Detector string
	// Explanation is there when it was asked for and a detector ran.
	Explanation *Explanation
}

// NeedsVectors says whether [Segment] will look at vectors: for text of at least
// two sentences.
func NeedsVectors(text string, sentences []chunking.Span) bool {
	_, _, done := Shortcut(text, sentences)
	return !done
}

// Segment cuts a text into chunks of whole sentences where the detector finds a
// change of topic, and fits the chunks to the sizes given: one over MaxSize is cut
// at its strongest remaining gap until all fit, and inside a sentence only when
// that alone is too long; then those under MinSize join a neighbour; then
// sentences are repeated for the overlap.
//
// Sentences are spans of text in order; m has one row for each, or none where
// [NeedsVectors] says no. Blank text has no chunks; text of one sentence that
// fits is one chunk, unchanged. The chunks hold every sentence.
//
// Errors are those of [SegmentOptions.Check], of the vectors ([*VectorError]) and
// of CutSentence.
func Segment(text string, sentences []chunking.Span, m Matrix, o SegmentOptions) (Segments, error) {
	if err := o.Check(); err != nil {
		return Segments{}, err
	}
	if texts, spans, done := Shortcut(text, sentences); done {
		if len(texts) == 0 {
			return Segments{}, nil
		}
		if o.MaxSize == 0 || o.Unit.Count(text) <= o.MaxSize {
			return Segments{Texts: texts, Spans: spans, Sentences: []chunking.Span{{Start: 0, Stop: 1}}}, nil
		}
		if len(sentences) == 0 {
			sentences = spans
		}
		return segmentOne(text, sentences, o)
	}
	if err := sameCount(len(sentences), "sentences", m); err != nil {
		return Segments{}, err
	}
	u, err := newUnitRows(m)
	if err != nil {
		return Segments{}, err
	}
	s := newShaper(text, sentences, u, o)
	f, err := s.detect()
	if err != nil {
		return Segments{}, err
	}
	chunks, err := s.keepMax(s.chunksOf(f.cuts), f)
	if err != nil {
		return Segments{}, err
	}
	chunks = s.keepMin(chunks, f.joinLimit)
	out := s.emit(chunks)
	out.Detector = o.resolve()
	if o.Explain {
		out.Explanation = f.explain(s, chunks)
	}
	return out, nil
}

// segmentOne cuts a text that is a single sentence, too long for a chunk.
func segmentOne(text string, sentences []chunking.Span, o SegmentOptions) (Segments, error) {
	u, err := newUnitRows(NewMatrix(1, 1))
	if err != nil {
		return Segments{}, err
	}
	s := newShaper(text, sentences, u, o)
	chunks, err := s.keepMax(s.chunksOf(nil), finding{})
	if err != nil {
		return Segments{}, err
	}
	return s.emit(s.keepMin(chunks, 0)), nil
}

// finding is what a detector hands on.
type finding struct {
	cuts []int
	// strength says how much each gap looks like a boundary, peaks which of them
	// no neighbour exceeds, rising.
	strength []float64
	peaks    []int
	// joinLimit is the length that joined chunks must not exceed when there is no
	// MaxSize; 0 for none.
	joinLimit float64
	explain   func(s *shaper, chunks []chunk) *Explanation
}

// detect runs the detector.
func (s *shaper) detect() (finding, error) {
	switch s.o.resolve() {
	case DetectorSavgol:
		r, err := Detect(s.u.m, s.o.Savgol)
		if err != nil {
			return finding{}, err
		}
		return finding{
			cuts: r.Cuts, strength: r.Smoothed, peaks: gapsOf(r.Peaks),
			explain: func(s *shaper, chunks []chunk) *Explanation { return explainSavgol(r).after(s, chunks, r.Smoothed) },
		}, nil
	case DetectorDepth:
		r := depthOf(s.u, s.o.Savgol.MinDistance)
		return finding{
			cuts: r.Cuts, strength: r.Depth, peaks: gapsOf(r.Candidates),
			explain: func(s *shaper, chunks []chunk) *Explanation { return explainDepth(r).after(s, chunks, r.Depth) },
		}, nil
	case DetectorDP:
		return s.detectDP()
	default:
		return s.detectTopic(), nil
	}
}

func (s *shaper) detectDP() (finding, error) {
	o := DPOptions{Target: float64(s.o.TargetSize), Max: s.o.MaxSize}
	r, cost, err := dpOf(s.u, s.places, o)
	if err != nil {
		return finding{}, err
	}
	f := finding{cuts: r.Cuts, strength: r.Gap, peaks: maxima(r.Gap)}
	if s.o.MaxSize == 0 {
		f.joinLimit = 2 * o.Target
	}
	f.explain = func(s *shaper, chunks []chunk) *Explanation {
		gains := dpGains(r, cost)
		return explainGains(DetectorDP, r.Cost, r.Cuts, gains, r.Gap).after(s, chunks, gains)
	}
	return f, nil
}

func (s *shaper) detectTopic() finding {
	index := NewTermIndex()
	terms := make([][]int32, len(s.sentences))
	for i, span := range s.sentences {
		terms[i] = index.Add(span.Slice(s.text))
	}
	o := TopicOptions{}
	if s.o.MaxSize > 0 {
		o = TopicOptions{Spans: s.places, Max: s.o.MaxSize}
	}
	r, cost := topicOf(s.u, terms, o)
	gap := standardize(s.u.gapCurves(3)[0])
	return finding{
		cuts: r.Cuts, strength: gap, peaks: maxima(gap),
		explain: func(s *shaper, chunks []chunk) *Explanation {
			gains := topicGains(cost, r.Cuts)
			return explainGains(DetectorTopic, r.Cost, r.Cuts, gains, gap).after(s, chunks, gains)
		},
	}
}

func gapsOf(peaks []Peak) []int {
	gaps := make([]int, len(peaks))
	for i, p := range peaks {
		gaps[i] = p.Gap
	}
	return gaps
}

// maxima returns where no neighbour is higher and at least one is lower.
func maxima(curve []float64) []int {
	var out []int
	for i, x := range curve {
		left, right := math.Inf(-1), math.Inf(-1)
		if i > 0 {
			left = curve[i-1]
		}
		if i+1 < len(curve) {
			right = curve[i+1]
		}
		if x >= left && x >= right && (x > left || x > right) {
			out = append(out, i)
		}
	}
	return out
}
