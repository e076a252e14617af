package ai

import (
	"context"
	"errors"
	"sync"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/markdown"
	"github.com/ironflow/ironflow/nodes/chunking/pack"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
	"github.com/ironflow/ironflow/nodes/value"
)

// chunker is ai_chunk. It keeps the token counters, which unpack a vocabulary
// at their first use; nothing else lives from one call to the next.
type chunker struct{ counters counters }

// counters holds one counter for each unit and tokenizer in use.
type counters struct {
	mu   sync.Mutex
	made map[[2]string]unit.Counter
}

func (c *counters) get(name, tokenizer string) (unit.Counter, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := [2]string{name, tokenizer}
	if got, ok := c.made[key]; ok {
		return got, nil
	}
	counter, err := unit.New(name, tokenizer)
	if err != nil {
		return nil, err
	}
	if c.made == nil {
		c.made = map[[2]string]unit.Counter{}
	}
	c.made[key] = counter
	return counter, nil
}

// pieces is what cutting one text gives. headings and contexts are set in the
// mode markdown only.
type pieces struct {
	spans    []value.Span
	markdown []markdown.Chunk
}

func (c *chunker) run(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	if call.String("mode") == "cues" {
		return runCues(call)
	}
	v, err := call.Source("source_key")
	if err != nil {
		return nil, err
	}
	if text, ok := v.(string); ok {
		if call.Has("spans_key") {
			return nil, call.Errorf("spans_key", "has no effect, because %q holds one text; it belongs to an array of texts", call.String("source_key"))
		}
		p, err := c.cut(call, text)
		if err != nil {
			return nil, err
		}
		out := nodes.Output{"": value.NewSubstrings(text, p.spans), "_spans": spanList(call, text, p.spans)}
		addMarkdown(call, out, text, p.markdown)
		return out, nil
	}
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		v = []any{}
	}
	if _, ok := value.Len(v); !ok {
		return nil, call.Errorf("source_key", "%q holds %s, want a string or an array of strings", call.String("source_key"), nodes.Describe(v))
	}
	texts, err := call.SourceStrings("source_key")
	if err != nil {
		return nil, err
	}
	return c.cutAll(call, texts)
}

// cut cuts one text as the parameters say.
func (c *chunker) cut(call *nodes.Call, text string) (pieces, error) {
	p, err := c.cutMode(call, text)
	if err != nil {
		return pieces{}, optionError(call, err)
	}
	if call.Bool("drop_blank") {
		p.spans = chunking.DropBlank(text, p.spans)
	}
	return p, nil
}

func (c *chunker) cutMode(call *nodes.Call, text string) (p pieces, err error) {
	switch mode := call.String("mode"); mode {
	case "split":
		p.spans, err = chunking.Split(text, chunking.SplitOptions{
			Delimiters: call.String("delimiters"), MinChars: call.Int("min_chars"),
		})
	case "fixed":
		p.spans, err = chunking.Fixed(text, chunking.FixedOptions{
			Size: call.Int("size"), Delimiters: call.String("delimiters"),
			Prefix: call.Bool("prefix"), Overlap: call.Int("overlap"),
		})
	default:
		counter, unitErr := c.counters.get(call.String("unit"), call.String("tokenizer"))
		if unitErr != nil {
			return p, unitErr
		}
		return cutSized(call, mode, text, counter)
	}
	return p, err
}

// cutSized cuts in the modes that keep a limit in a unit.
func cutSized(call *nodes.Call, mode, text string, counter unit.Counter) (p pieces, err error) {
	split := pack.SplitFunc(sentence.Unicode)
	if call.String("sentence_mode") == "ascii" {
		split = sentence.ASCII
	}
	size, overlap := call.Int("size"), call.Int("overlap")
	switch mode {
	case "sentences":
		p.spans, err = pack.Sentences(text, pack.SentencesOptions{Size: size, Unit: counter, Overlap: overlap, Sentences: split})
	case "markdown":
		p.markdown, err = markdown.Split(text, markdown.Options{Size: size, Unit: counter, Overlap: overlap, Sentences: split})
		p.spans = make([]value.Span, len(p.markdown))
		for i, c := range p.markdown {
			p.spans[i] = c.Span
		}
	default:
		o := pack.RecursiveOptions{Size: size, Unit: counter, Overlap: overlap, MinSize: call.Int("min_size"), Sentences: split}
		if call.Has("separators") {
			o.Separators = call.Strings("separators")
		}
		p.spans, err = pack.Recursive(text, o)
	}
	return p, err
}

// addMarkdown adds what the mode markdown knows of its chunks.
func addMarkdown(call *nodes.Call, out nodes.Output, text string, chunks []markdown.Chunk) {
	if call.String("mode") != "markdown" {
		return
	}
	headings, contexts := make([]any, len(chunks)), make([]string, len(chunks))
	for i, c := range chunks {
		headings[i] = value.NewStrings(c.Headings)
		contexts[i] = c.Context
		if !call.Bool("heading_path") {
			chunks[i].Headings = nil
		}
	}
	out["_headings"], out["_context"] = headings, value.NewStrings(contexts)
	out["_texts"] = value.NewStrings(markdown.Texts(text, chunks))
}

// optionError puts the parameter's name in front of what the algorithm says.
func optionError(call *nodes.Call, err error) error {
	var option *chunking.OptionError
	if errors.As(err, &option) {
		return call.Errorf(option.Param, "got %v, allowed: %s", option.Value, option.Allowed)
	}
	return call.Errorf("source_key", "%q: %w", call.String("source_key"), err)
}
