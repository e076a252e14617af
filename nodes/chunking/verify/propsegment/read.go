package propsegment

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"unicode"
)

// Set is a part of the corpus, such as "dev" or "test".
type Set struct {
	Name      string
	Documents []Document
}

// Document is a text of the corpus; those of one cluster have one topic.
type Document struct {
	ID, Cluster string
	Sentences   []Sentence
}

// Sentence is a sentence and its propositions.
type Sentence struct {
	Text string
	// Propositions are those of the reference response, of which a sentence has one
	// or none, in the order of the file.
	Propositions []string
}

type clusterJSON struct {
	ID        string         `json:"cluster_id"`
	Documents []documentJSON `json:"documents"`
}

type documentJSON struct {
	ID        string         `json:"document_id"`
	Sentences []sentenceJSON `json:"sentences"`
}

type sentenceJSON struct {
	Text   string      `json:"sentence_text"`
	Tokens []tokenJSON `json:"tokens"`
}

type tokenJSON struct {
	Text   string `json:"text"`
	Offset int    `json:"character_offset_of_token_in_sentence"` // code points
}

type segmentationJSON struct {
	Sentence struct {
		Cluster  string `json:"cluster_id"`
		Document string `json:"document_id"`
		Index    int    `json:"sentence_index"`
	} `json:"sentence_id"`
	Responses []struct {
		Reference    bool `json:"is_reference_response"`
		Propositions []struct {
			Tokens []int `json:"token_indices"`
		} `json:"propositions"`
	} `json:"segmentation_responses"`
}

// Read reads document_clusters.NAME.json and propositions.NAME.json. Documents
// whose text the files do not hold, those of the news part, are left out. Where a
// file contradicts itself, the error names the sentence.
func Read(fsys fs.FS, name string) (*Set, error) {
	var clusters []clusterJSON
	if err := readJSON(fsys, "document_clusters."+name+".json", &clusters); err != nil {
		return nil, err
	}
	var segmentations []segmentationJSON
	if err := readJSON(fsys, "propositions."+name+".json", &segmentations); err != nil {
		return nil, err
	}
	set := &Set{Name: name}
	type place struct{ cluster, document string }
	raw, at := map[place]documentJSON{}, map[place]int{}
	for _, c := range clusters {
		for _, d := range c.Documents {
			if len(d.Sentences) == 0 || d.Sentences[0].Text == "" {
				continue
			}
			p := place{c.ID, d.ID}
			raw[p], at[p] = d, len(set.Documents)
			doc := Document{ID: d.ID, Cluster: c.ID, Sentences: make([]Sentence, len(d.Sentences))}
			for i, s := range d.Sentences {
				doc.Sentences[i].Text = s.Text
			}
			set.Documents = append(set.Documents, doc)
		}
	}
	for _, s := range segmentations {
		p := place{s.Sentence.Cluster, s.Sentence.Document}
		d, known := raw[p]
		if !known {
			continue
		}
		i := s.Sentence.Index
		if i < 0 || i >= len(d.Sentences) {
			return nil, fmt.Errorf("propositions.%s.json: document %s has no sentence %d", name, d.ID, i)
		}
		for _, r := range s.Responses {
			if !r.Reference {
				continue
			}
			for _, q := range r.Propositions {
				text, err := d.Sentences[i].rebuild(q.Tokens)
				if err != nil {
					return nil, fmt.Errorf("propositions.%s.json: document %s, sentence %d: %w", name, d.ID, i, err)
				}
				out := &set.Documents[at[p]].Sentences[i]
				out.Propositions = append(out.Propositions, text)
			}
		}
	}
	return set, nil
}

func readJSON(fsys fs.FS, name string, to any) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return fmt.Errorf("reading the corpus: %w", err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// rebuild makes the text of a proposition from its tokens: between two that follow
// each other in the sentence stands what stands there, between others one space,
// and none before a mark that closes something. Nothing else is changed: no capital
// and no full stop is added.
func (s *sentenceJSON) rebuild(tokens []int) (string, error) {
	runes := []rune(s.Text)
	var b strings.Builder
	before := -1
	for _, t := range tokens {
		if t <= before || t >= len(s.Tokens) {
			return "", fmt.Errorf("token %d is out of order or beyond the last, %d", t, len(s.Tokens)-1)
		}
		from := s.Tokens[t].Offset
		to := from + len([]rune(s.Tokens[t].Text))
		if from < 0 || to > len(runes) || string(runes[from:to]) != s.Tokens[t].Text {
			return "", fmt.Errorf("token %d, %q, does not stand at %d", t, s.Tokens[t].Text, from)
		}
		switch {
		case before < 0:
		case t == before+1:
			last := s.Tokens[before]
			b.WriteString(string(runes[last.Offset+len([]rune(last.Text)) : from]))
		case !strings.ContainsRune(".,;:!?)]", runes[from]):
			b.WriteByte(' ')
		}
		b.WriteString(s.Tokens[t].Text)
		before = t
	}
	return b.String(), nil
}

// span is a word in a text, in bytes.
type span struct{ start, stop int }

// words returns the runs of letters, digits and marks, with apostrophes inside.
func words(text string) []span {
	var out []span
	open := -1
	runes := []rune(text)
	i := 0
	for n, r := range runes {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if !inside && open >= 0 && (r == '\'' || r == '’') {
			inside = n+1 < len(runes) && unicode.IsLetter(runes[n+1])
		}
		switch {
		case inside && open < 0:
			open = i
		case !inside && open >= 0:
			out = append(out, span{open, i})
			open = -1
		}
		i += len(string(r))
	}
	if open >= 0 {
		out = append(out, span{open, len(text)})
	}
	return out
}

// fold returns the words of a text in lower case.
func fold(text string) []string {
	var out []string
	for _, w := range words(text) {
		out = append(out, strings.ToLower(text[w.start:w.stop]))
	}
	return out
}
