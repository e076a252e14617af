package suite

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// The case files are Markdown, so that they can be read as they are:
//
//	# Group
//	## TC-001 Title
//	What the case shows, in one or more lines.
//	Batch: 320                      (optional: batch_max_bytes)
//	Input ID:
//	> text of the input, line by line
//	### Honest                      (or "Wrapped: name", or "Bad: name")
//	Expect: ungrounded, verbatim    (counters of the report that must not be 0)
//	Never: one | another            (what no chunk may hold)
//	Finish: cut                     (or refused; otherwise complete)
//	Wrap:                           (a fenced template around the answer)
//	Extract:                        (a fenced raw answer in place of the statements)
//	Group:                          (a fenced raw answer to the grouping question)
//	Theme: label of the statements that follow
//	- [1 2] a statement, and the sentences that it rests on
//
// In raw answers ‹3› stands for the label of sentence 3, ‹id 2› for the id of
// the second statement of a grouping question, ‹ids› for all of them, and
// ‹answer› for the answer that is wrapped.

// parser reads one file line by line.
type parser struct {
	file  string
	line  int
	lines []string
	group string
	cases []Case
}

// parseCases reads a case file. Errors name the file and the line.
func parseCases(file, text string) ([]Case, error) {
	p := &parser{file: file, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	for p.line < len(p.lines) {
		line := p.lines[p.line]
		p.line++
		if err := p.take(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, p.line, err)
		}
	}
	return p.cases, nil
}

func (p *parser) take(line string) error {
	key, rest, _ := strings.Cut(line, ":")
	rest = strings.TrimSpace(rest)
	switch {
	case strings.TrimSpace(line) == "":
		return nil
	case strings.HasPrefix(line, "# "):
		p.group = strings.ToLower(line[2:])
		return nil
	case strings.HasPrefix(line, "## "):
		id, title, _ := strings.Cut(line[3:], " ")
		p.cases = append(p.cases, Case{ID: id, Title: title, Group: p.group})
		return nil
	case len(p.cases) == 0:
		return nil // what the group is about
	case strings.HasPrefix(line, "### "):
		return p.openAnswer(strings.TrimPrefix(key, "### "), rest)
	case len(p.current().Answers) > 0:
		return p.answerLine(line, key, rest)
	case strings.HasPrefix(line, "Input "):
		p.current().Inputs = append(p.current().Inputs, verify.Input{ID: strings.TrimPrefix(key, "Input "), Text: p.quoted()})
		return nil
	case key == "Batch":
		n, err := strconv.Atoi(rest)
		p.current().BatchBytes = n
		return err
	case len(p.current().Inputs) > 0:
		return fmt.Errorf("%q: want an input or an answer", line)
	}
	c := p.current()
	c.About = strings.TrimSpace(c.About + " " + line)
	return nil
}

func (p *parser) current() *Case { return &p.cases[len(p.cases)-1] }

func (p *parser) openAnswer(kind, name string) error {
	a := Answer{Name: name}
	switch {
	case kind == "Honest" && name == "":
		a.Kind, a.Name = Honest, "honest"
	case kind == "Wrapped" && name != "":
		a.Kind = Wrapped
	case kind == "Bad" && name != "":
		a.Kind = Bad
	default:
		return fmt.Errorf("an answer of kind %q: want Honest, \"Wrapped: name\" or \"Bad: name\"", kind)
	}
	p.current().Answers = append(p.current().Answers, a)
	return nil
}

func (p *parser) answerLine(line, key, rest string) error {
	a := &p.current().Answers[len(p.current().Answers)-1]
	var err error
	switch {
	case strings.HasPrefix(line, "- ["):
		return a.addStatement(line)
	case key == "Theme":
		a.theme = rest
	case key == "Expect":
		a.Expect = splitTrim(rest, ",")
	case key == "Never":
		a.Never = splitTrim(rest, "|")
	case key == "Finish" && (rest == "cut" || rest == "refused"):
		a.Cut, a.Refused = rest == "cut", rest == "refused"
	case line == "Wrap:":
		a.Wrap, err = p.fenced()
	case line == "Extract:":
		a.RawExtract = true
		a.Extract, err = p.fenced()
	case line == "Group:":
		a.RawGroup = true
		a.Group, err = p.fenced()
	default:
		err = fmt.Errorf("%q is no part of an answer", line)
	}
	return err
}

func (a *Answer) addStatement(line string) error {
	numbers, text, ok := strings.Cut(strings.TrimPrefix(line, "- ["), "] ")
	if !ok || text == "" {
		return fmt.Errorf("%q: want - [1 2] statement", line)
	}
	s := script.Statement{Theme: a.theme, Text: text}
	for _, f := range strings.Fields(numbers) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not the number of a sentence (1 or more)", f)
		}
		s.Sentences = append(s.Sentences, n)
	}
	a.Statements = append(a.Statements, s)
	return nil
}

// quoted reads the lines that begin with > and joins them.
func (p *parser) quoted() string {
	var out []string
	for p.line < len(p.lines) && strings.HasPrefix(p.lines[p.line], ">") {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(p.lines[p.line], ">"), " "))
		p.line++
	}
	return strings.Join(out, "\n")
}

// fenced reads the lines between two lines of ~~~.
func (p *parser) fenced() (string, error) {
	if p.line == len(p.lines) || p.lines[p.line] != "~~~" {
		return "", fmt.Errorf("want a block between lines of ~~~")
	}
	from := p.line + 1
	for i := from; i < len(p.lines); i++ {
		if p.lines[i] == "~~~" {
			p.line = i + 1
			return strings.Join(p.lines[from:i], "\n"), nil
		}
	}
	return "", fmt.Errorf("the block has no end")
}

func splitTrim(s, sep string) []string {
	var out []string
	for _, part := range strings.Split(s, sep) {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}
