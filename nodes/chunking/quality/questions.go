package quality

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Question is a question to a collection of documents with the excerpts that
// answer it.
type Question struct {
	// Line is where it stands in its file, from 1.
	Line int
	Text string
	// Corpus names the document of the references; it may be empty where there
	// is but one.
	Corpus     string
	References []Reference
}

// Reference is an excerpt of a document.
type Reference struct {
	// Content is the excerpt.
	Content string
	// Span places it in the document, in characters (code points); nil leaves
	// that to a search for the content.
	Span *chunking.Span
}

const questionForm = `give one object a line: {"question": "...", "corpus": "name of the document", "references": [{"content": "excerpt of it"}]}`

// ReadQuestions reads questions of one JSON object a line:
//
//	{"question": "How high is the tide?", "corpus": "harbour.md",
//	 "references": [{"content": "The mean range is 1.9 m at springs", "start": 2113, "end": 2147}]}
//
// (on one line). Offsets count characters from 0, the end exclusive; both may be
// left out, and then the content is looked up in the document. The corpus may be
// left out where there is a single document. Other members and blank lines are
// passed over. A question that is blank or without a reference, a blank content,
// or one offset without the other is an error. Errors are a [*LineError].
func ReadQuestions(r io.Reader) ([]Question, error) {
	var questions []Question
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, &LineError{number, err}
		}
		last := err != nil
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			q, err := parseQuestion(line)
			if err != nil {
				return nil, &LineError{number, fmt.Errorf("%w; %s", err, questionForm)}
			}
			q.Line = number
			questions = append(questions, q)
		}
		if last {
			return questions, nil
		}
	}
}

func parseQuestion(line []byte) (Question, error) {
	if !utf8.Valid(line) {
		return Question{}, errors.New("not valid UTF-8; convert the file first")
	}
	var object struct {
		Question   string `json:"question"`
		Corpus     string `json:"corpus"`
		References []struct {
			Content string `json:"content"`
			Start   *int   `json:"start"`
			End     *int   `json:"end"`
		} `json:"references"`
	}
	if err := json.Unmarshal(line, &object); err != nil {
		return Question{}, err
	}
	q := Question{Text: object.Question, Corpus: object.Corpus}
	if strings.TrimSpace(q.Text) == "" {
		return Question{}, errors.New("no question")
	}
	if len(object.References) == 0 {
		return Question{}, errors.New("no references")
	}
	for i, r := range object.References {
		ref := Reference{Content: r.Content}
		switch {
		case strings.TrimSpace(r.Content) == "":
			return Question{}, fmt.Errorf("reference %d has no content", i+1)
		case (r.Start == nil) != (r.End == nil):
			return Question{}, fmt.Errorf("reference %d has only one of start and end", i+1)
		case r.Start != nil:
			if *r.Start < 0 || *r.End <= *r.Start {
				return Question{}, fmt.Errorf("reference %d reaches from %d to %d; start lies at 0 or above, end above start", i+1, *r.Start, *r.End)
			}
			ref.Span = &chunking.Span{Start: *r.Start, Stop: *r.End}
		}
		q.References = append(q.References, ref)
	}
	return q, nil
}
