package script

import (
	"bytes"
	"encoding/json"
)

// Item is a statement in an answer, with the labels that it names. Labels are
// of any type, since models send numbers, null and objects too.
type Item struct {
	Text   string `json:"text"`
	Labels []any  `json:"sentences"`
}

// Theme is a group of ids in an answer.
type Theme struct {
	Label string   `json:"label"`
	IDs   []string `json:"ids"`
}

// Encode writes the answer to an extraction.
func Encode(items []Item) string {
	if items == nil {
		items = []Item{}
	}
	return encode(map[string]any{"propositions": items})
}

// EncodeGroups writes the answer to a grouping or a merge.
func EncodeGroups(themes []Theme) string {
	if themes == nil {
		themes = []Theme{}
	}
	return encode(map[string]any{"groups": themes})
}

// encode writes JSON as models do: without escapes for <, > and &.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// Text, labels and lists of them can always be written.
		panic(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
