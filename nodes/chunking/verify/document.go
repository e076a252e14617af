package verify

import "github.com/ironflow/ironflow/nodes/chunking"

// Input is one piece of a document.
type Input struct{ ID, Text string }

// Sentence is a sentence of an input; Span is in bytes of that input's text.
type Sentence struct {
	Input int
	Span  chunking.Span
}

// Document is the source that statements are checked against.
type Document struct {
	Inputs    []Input
	Sentences []Sentence
}

// NewDocument numbers the sentences of all inputs from 0.
func NewDocument(inputs []Input, split func(string) []chunking.Span) *Document {
	d := &Document{Inputs: inputs}
	for i, in := range inputs {
		for _, s := range split(in.Text) {
			d.Sentences = append(d.Sentences, Sentence{Input: i, Span: s})
		}
	}
	return d
}

// Text returns sentence i.
func (d *Document) Text(i int) string {
	s := d.Sentences[i]
	return s.Span.Slice(d.Inputs[s.Input].Text)
}
