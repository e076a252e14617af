package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
	"github.com/ironflow/ironflow/nodes/value"
)

// segText is a document of `eval seg` as a text of one sentence a line.
type segText struct {
	name  string
	text  string
	lines []value.Span // the sentences in it
	truth quality.Segmentation
}

// newSegText joins the sentences of a document. A line break inside a sentence
// becomes a space, so that lines are sentences.
func newSegText(d quality.Document) segText {
	t := segText{name: d.ID, truth: d.Truth}
	var b strings.Builder
	for i, sentence := range d.Sentences {
		if i > 0 {
			b.WriteByte('\n')
		}
		sentence = strings.TrimSpace(strings.NewReplacer("\r", " ", "\n", " ").Replace(sentence))
		t.lines = append(t.lines, value.Span{Start: b.Len(), Stop: b.Len() + len(sentence)})
		b.WriteString(sentence)
	}
	t.text = b.String()
	return t
}

// sentences returns the sentences.
func (t *segText) sentences() []string {
	out := make([]string, len(t.lines))
	for i, span := range t.lines {
		out[i] = span.Slice(t.text)
	}
	return out
}

// cuts turns the ends of chunks into gaps between sentences. A chunk that ends
// inside a sentence counts as ending at the nearer end of it, the first of equals.
func (t *segText) cuts(spans []value.Span) quality.Segmentation {
	s := quality.Segmentation{Units: len(t.lines)}
	line := 0 // the first line that stops at the end of the chunk or behind it
	for _, span := range spans {
		for line < len(t.lines) && t.lines[line].Stop < span.Stop {
			line++
		}
		gap := line
		if line < len(t.lines) {
			if l := t.lines[line]; span.Stop <= l.Start || span.Stop-l.Start <= l.Stop-span.Stop {
				gap = line - 1
			}
			if t.lines[line].Stop == span.Stop {
				gap = line
			}
		}
		if gap < 0 || gap > s.Units-2 || len(s.Cuts) > 0 && gap <= s.Cuts[len(s.Cuts)-1] {
			continue
		}
		s.Cuts = append(s.Cuts, gap)
	}
	return s
}

// Formats of the files of `eval seg`.
const (
	segAuto  = "auto"
	segChoi  = "choi"
	segJSONL = "jsonl"
)

// readSegData reads a file, or all files of a folder and the folders in it that
// the format fits.
func (s *session) readSegData(path, format string) ([]segText, error) {
	root := s.globals.path(path)
	if target, err := filepath.EvalSymlinks(root); err == nil {
		root = target
	}
	var texts []segText
	read := func(file, name string) error {
		documents, err := s.readSegFile(file, format)
		if err != nil {
			var line *quality.LineError
			if errors.As(err, &line) {
				return fmt.Errorf("%s:%d: %w", name, line.Line, line.Err)
			}
			return fmt.Errorf("%s: %w", name, err)
		}
		for i, d := range documents {
			if d.ID == "" {
				d.ID = name
				if len(documents) > 1 {
					d.ID = fmt.Sprintf("%s, text %d", name, i+1)
				}
			}
			texts = append(texts, newSegText(d))
		}
		return nil
	}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			var p *fs.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return fmt.Errorf("%s: %w", path, err)
		case file == root && !d.IsDir():
			return read(file, path)
		case d.IsDir():
			if file != root && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		case strings.HasPrefix(d.Name(), ".") || format == segAuto && segFormat(file) == "":
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		return read(file, filepath.Join(path, rel))
	})
	if err != nil {
		return nil, usageError("reading %w", err)
	}
	if len(texts) == 0 {
		return nil, usageError("reading %s: no text in it; give a file, or a folder with files that end in .ref (Choi's format) or .jsonl, or say which with --format", path)
	}
	return texts, nil
}

// segFormat tells the format by the end of a name, "" for others.
func segFormat(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".ref":
		return segChoi
	case ".jsonl", ".ndjson":
		return segJSONL
	}
	return ""
}

func (s *session) readSegFile(file, format string) ([]quality.Document, error) {
	data, err := readRegular(file, s.maxFile)
	if err != nil {
		return nil, err
	}
	if format == segAuto {
		format = segFormat(file)
	}
	if format == segJSONL {
		documents, err := quality.ReadJSONL(bytes.NewReader(data))
		if err == nil && len(documents) == 0 {
			return nil, errors.New(`no text; give one object a line: {"id": "name", "segments": [["sentence", "sentence"], ["sentence"]]}`)
		}
		return documents, err
	}
	d, err := quality.ReadChoi(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return []quality.Document{d}, nil
}
