package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

// corpusText is a document of `eval retrieval`.
type corpusText struct {
	name string // its path below the folder, with / between names
	text string
}

// corpusQuestion is a question with its references in the corpus.
type corpusQuestion struct {
	text       string
	references []quality.Passage
}

// readCorpus reads the files below a folder whose names have one of the ends, in
// the order of their names. Hidden files and the questions are left out.
func (s *session) readCorpus(path string, extensions []string, questions string) ([]corpusText, error) {
	root := s.globals.path(path)
	if target, err := filepath.EvalSymlinks(root); err == nil {
		root = target
	}
	ends := make([]string, len(extensions))
	for i, e := range extensions {
		ends[i] = "." + strings.ToLower(strings.TrimPrefix(strings.TrimSpace(e), "."))
	}
	except, err := os.Stat(s.globals.path(questions))
	if err != nil {
		return nil, usageError("reading %s: %w", questions, withoutPath(err))
	}
	var corpus []corpusText
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		name := path
		if rel, e := filepath.Rel(root, file); e == nil && file != root {
			name = filepath.ToSlash(rel)
		}
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, withoutPath(err))
		case file != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || file != root && (!d.Type().IsRegular() || !slices.Contains(ends, strings.ToLower(filepath.Ext(file)))):
			return nil
		}
		if info, err := d.Info(); err == nil && os.SameFile(info, except) {
			return nil
		}
		data, err := readRegular(file, s.maxFile)
		if err != nil {
			return fmt.Errorf("%s: %w", name, withoutPath(err))
		}
		text, err := fileText(data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if file == root {
			name = filepath.Base(file)
		}
		corpus = append(corpus, corpusText{name: name, text: text})
		return nil
	})
	if err != nil {
		return nil, usageError("reading --corpus %s: %w", path, err)
	}
	if len(corpus) == 0 {
		return nil, usageError("--corpus %s has no file that ends in %s; --extensions sets the ends", path, nodes.QuoteList(ends, "or"))
	}
	return corpus, nil
}

// withoutPath leaves the path out of an error that names it already.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readQuestions reads the questions and finds every reference in the corpus. The
// error names each question with one that is not there.
func (s *session) readQuestions(path string, corpus []corpusText) ([]corpusQuestion, error) {
	data, err := readRegular(s.globals.path(path), s.maxFile)
	if err != nil {
		return nil, usageError("reading %s: %w", path, withoutPath(err))
	}
	list, err := quality.ReadQuestions(bytes.NewReader(data))
	if err != nil {
		var line *quality.LineError
		if errors.As(err, &line) {
			return nil, usageError("%s:%d: %w", path, line.Line, line.Err)
		}
		return nil, usageError("%s: %w", path, err)
	}
	if len(list) == 0 {
		return nil, usageError("%s has no question", path)
	}
	locators := make([]*quality.Locator, len(corpus))
	for i, d := range corpus {
		locators[i] = quality.NewLocator(d.text)
	}
	var wrong []string
	questions := make([]corpusQuestion, len(list))
	for i, q := range list {
		questions[i].text = q.Text
		bad := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("%s:%d: question %q: ", path, q.Line, q.Text)+fmt.Sprintf(format, args...))
		}
		document, err := findDocument(corpus, q.Corpus)
		if err != nil {
			bad("%v", err)
			continue
		}
		for j, r := range q.References {
			span, occurrences, err := locators[document].Find(r)
			if err != nil {
				bad("reference %d: %v (%s)", j+1, err, corpus[document].name)
				continue
			}
			if occurrences > 1 {
				s.log.Warn(fmt.Sprintf("reference %d occurs %d times, the first counts; start and end choose another", j+1, occurrences),
					"file", path, "line", q.Line, "document", corpus[document].name)
			}
			questions[i].references = append(questions[i].references, quality.Passage{Document: document, Span: span})
		}
	}
	if len(wrong) > 0 {
		return nil, usageError("%s", joinLines(wrong))
	}
	return questions, nil
}

// findDocument finds a document by its name, with or without its end.
func findDocument(corpus []corpusText, name string) (int, error) {
	names := make([]string, len(corpus))
	for i, d := range corpus {
		names[i] = d.name
	}
	if name == "" {
		if len(corpus) == 1 {
			return 0, nil
		}
		return 0, fmt.Errorf("it names no corpus, and there are %d documents; set \"corpus\" to the name of one", len(corpus))
	}
	wanted := strings.TrimPrefix(filepath.ToSlash(name), "./")
	if i := slices.Index(names, wanted); i >= 0 {
		return i, nil
	}
	var found []int
	for i, n := range names {
		if strings.TrimSuffix(n, filepath.Ext(n)) == wanted {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		hint := ""
		if near := nodes.Nearest(name, names); len(near) > 0 {
			hint = "; did you mean " + nodes.QuoteList(near, "or") + "?"
		}
		return 0, fmt.Errorf("there is no document %q%s", name, hint)
	}
	return 0, fmt.Errorf("%q is the name of %d documents; give its end too, as in %q", name, len(found), names[found[0]])
}
