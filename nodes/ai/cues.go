package ai

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/value"
)

func runCues(call *nodes.Call) (nodes.Output, error) {
	list, err := call.SourceArray("source_key")
	if err != nil {
		return nil, err
	}
	n, _ := value.Len(list)
	cues := make([]chunking.Cue, n)
	for i := range cues {
		e, _ := value.Index(list, i)
		if cues[i], err = parseCue(e); err != nil {
			return nil, call.Errorf("source_key", "%q: cue %d %w", call.String("source_key"), i+1, err)
		}
	}
	segments := chunking.Cues(cues, call.Int("size"))
	chunks, texts := make([]any, len(segments)), make([]string, len(segments))
	for i, s := range segments {
		texts[i] = s.Text
		chunks[i] = map[string]any{
			"text": s.Text, "ts_start": s.TSStart, "ts_end": s.TSEnd,
			"start_ms": s.StartMS, "end_ms": s.EndMS, "cue_count": int64(s.CueCount),
		}
	}
	return nodes.Output{"": chunks, "_texts": value.NewStrings(texts)}, nil
}

func parseCue(e any) (chunking.Cue, error) {
	m, ok := e.(map[string]any)
	if !ok {
		return chunking.Cue{}, fmt.Errorf("is %s, want an object {text, start_ms, end_ms, start, end}", nodes.Describe(e))
	}
	text, ok := m["text"].(string)
	if !ok {
		return chunking.Cue{}, errors.New("has no string in its member \"text\"")
	}
	if !utf8.ValidString(text) {
		return chunking.Cue{}, errors.New("has invalid UTF-8 in its member \"text\"")
	}
	cue := chunking.Cue{Text: text}
	for _, t := range []struct {
		name string
		to   *int64
	}{{"start_ms", &cue.StartMS}, {"end_ms", &cue.EndMS}} {
		ms, ok := m[t.name].(int64)
		if !ok || ms < 0 {
			return chunking.Cue{}, fmt.Errorf("has %s in its member %q, want a whole number of milliseconds from 0", nodes.Describe(m[t.name]), t.name)
		}
		*t.to = ms
	}
	for _, t := range []struct {
		name string
		to   *string
	}{{"start", &cue.Start}, {"end", &cue.End}} {
		v, given := m[t.name]
		if !given || v == nil {
			continue
		}
		s, ok := v.(string)
		if !ok {
			return chunking.Cue{}, fmt.Errorf("has %s in its member %q, want a string", nodes.Describe(v), t.name)
		}
		*t.to = s
	}
	return cue, nil
}
