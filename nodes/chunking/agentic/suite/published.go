package suite

import (
	"encoding/json"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
	"github.com/ironflow/ironflow/nodes/value"
)

// Published is what the node ai_chunk_agentic published, turned back into the
// chunks of the library, so that the rules are checked on what a flow sees.
type Published struct {
	Chunks []agentic.Chunk
	// Counts are the counters of the report by their names, those of dropped
	// statements as "dropped.ungrounded".
	Counts map[string]int
}

// ReadPublished reads the outputs of the node under an output key. A source is
// every sentence that lies in its offsets.
func ReadPublished(out map[string]any, key string, doc *verify.Document) (*Published, error) {
	data, err := value.Marshal(map[string]any{"chunks": out[key], "report": out[key+"_report"]})
	if err != nil {
		return nil, err
	}
	var read struct {
		Chunks []publishedChunk `json:"chunks"`
		Report map[string]any   `json:"report"`
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, err
	}
	p := &Published{Counts: map[string]int{}}
	for name, v := range read.Report {
		switch v := v.(type) {
		case float64:
			p.Counts[name] = int(v)
		case map[string]any:
			for inner, n := range v {
				if n, ok := n.(float64); ok {
					p.Counts[name+"."+inner] = int(n)
				}
			}
		}
	}
	for _, c := range read.Chunks {
		p.Chunks = append(p.Chunks, c.chunk(doc))
	}
	return p, nil
}

type publishedChunk struct {
	ChunkID          string `json:"chunk_id"`
	DocumentID       string `json:"document_id"`
	ThematicCategory string `json:"thematic_category"`
	MergedContent    string `json:"merged_content"`
	CharacterCount   int    `json:"character_count"`
	TokenEstimate    int    `json:"token_estimate"`
	Hash             string `json:"hash"`
	Propositions     []struct {
		Text       string            `json:"text"`
		Sources    []publishedSource `json:"sources"`
		Support    float64           `json:"support"`
		Verbatim   bool              `json:"verbatim"`
		Unresolved bool              `json:"unresolved"`
	} `json:"propositions"`
}

type publishedSource struct {
	ChunkID string `json:"chunk_id"`
	Start   int    `json:"start"`
	Stop    int    `json:"stop"`
}

func (c *publishedChunk) chunk(doc *verify.Document) agentic.Chunk {
	out := agentic.Chunk{
		ID: c.ChunkID, DocumentID: c.DocumentID, Theme: c.ThematicCategory, Content: c.MergedContent,
		Characters: c.CharacterCount, Tokens: c.TokenEstimate, Hash: c.Hash,
	}
	for _, q := range c.Propositions {
		p := agentic.Proposition{Text: q.Text, Support: q.Support, Verbatim: q.Verbatim, Unresolved: q.Unresolved}
		for i, s := range doc.Sentences {
			for _, src := range q.Sources {
				if doc.Inputs[s.Input].ID == src.ChunkID && src.Start <= s.Span.Start && s.Span.Stop <= src.Stop {
					p.Sentences = append(p.Sentences, i)
					break
				}
			}
		}
		if p.Verbatim {
			p.Carried = carried(doc, &p)
		}
		out.Propositions = append(out.Propositions, p)
	}
	return out
}

// carried counts the sentences that a verbatim proposition took along: those
// before the one that it ends with.
func carried(doc *verify.Document, p *agentic.Proposition) int {
	text := strings.Join(strings.Fields(p.Text), " ")
	for k, i := range p.Sentences {
		if strings.HasSuffix(text, strings.Join(strings.Fields(doc.Text(i)), " ")) {
			return k
		}
	}
	return 0
}
