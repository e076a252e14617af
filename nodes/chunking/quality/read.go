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
)

// Document is a text with its true segments.
type Document struct {
	// ID names the document; it may be empty.
	ID string
	// Sentences are the units, in order.
	Sentences []string
	// Truth is how they are segmented.
	Truth Segmentation
}

// LineError is an error in a line of a file, counted from 1.
type LineError struct {
	Line int
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *LineError) Unwrap() error { return e.Err }

var errNotUTF8 = errors.New("not valid UTF-8; convert the file first")

// separator is what a line between segments begins with in Choi's format.
const separator = "=========="

// ReadChoi reads one document in the format of Choi (2000): one sentence per
// line, and lines of "==========" before, between and after the segments. Blank
// lines, empty segments and white space around a sentence are passed over. A file
// without separators is one segment.
//
// A file without a sentence is an error; one that is not UTF-8 is a [*LineError].
func ReadChoi(r io.Reader) (Document, error) {
	var segments [][]string
	var segment []string
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return Document{}, &LineError{number, err}
		}
		last := err != nil
		if number == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if !utf8.ValidString(line) {
			return Document{}, &LineError{number, errNotUTF8}
		}
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, separator):
			segments = append(segments, segment)
			segment = nil
		case line != "":
			segment = append(segment, line)
		}
		if last {
			break
		}
	}
	d, err := newDocument(append(segments, segment))
	if err != nil {
		return Document{}, fmt.Errorf("%w; give one sentence per line and lines of %s between segments", err, separator)
	}
	return d, nil
}

// ReadJSONL reads documents of one JSON object a line:
//
//	{"id": "a name", "segments": [["A sentence.", "Another."], ["Next topic."]]}
//
// The id may be left out; blank lines are passed over. Errors are a [*LineError].
func ReadJSONL(r io.Reader) ([]Document, error) {
	var documents []Document
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
			d, err := parseDocument(line)
			if err != nil {
				return nil, &LineError{number, err}
			}
			documents = append(documents, d)
		}
		if last {
			return documents, nil
		}
	}
}

func parseDocument(line []byte) (Document, error) {
	const form = `give one object a line: {"id": "name", "segments": [["sentence", "sentence"], ["sentence"]]}`
	if !utf8.Valid(line) {
		return Document{}, errNotUTF8
	}
	var object struct {
		ID       string     `json:"id"`
		Segments [][]string `json:"segments"`
	}
	if err := json.Unmarshal(line, &object); err != nil {
		return Document{}, fmt.Errorf("%w; %s", err, form)
	}
	d, err := newDocument(object.Segments)
	if err != nil {
		return Document{}, fmt.Errorf("%w; %s", err, form)
	}
	d.ID = object.ID
	return d, nil
}

// newDocument joins segments, leaving out blank sentences and empty segments.
func newDocument(segments [][]string) (Document, error) {
	var d Document
	var lengths []int
	for _, segment := range segments {
		before := len(d.Sentences)
		for _, sentence := range segment {
			if strings.TrimSpace(sentence) != "" {
				d.Sentences = append(d.Sentences, sentence)
			}
		}
		if length := len(d.Sentences) - before; length > 0 {
			lengths = append(lengths, length)
		}
	}
	if len(lengths) == 0 {
		return Document{}, errors.New("no sentence")
	}
	d.Truth = FromLengths(lengths...)
	return d, nil
}
