package parse

import (
	"strings"
)

// State says how an answer ended.
type State uint8

const (
	// Complete: there is a list, and it ended as it should.
	Complete State = iota
	// Cut: the answer stops before its end, or the server said so.
	Cut
	// Malformed: there is no list, or one that breaks off in the middle.
	Malformed
)

// String returns the state's name, in lower case.
func (s State) String() string {
	return [...]string{"complete", "cut", "malformed"}[s]
}

// found is a value of an answer, or what there is of one.
type found struct {
	value node
	// end is where the reader stood afterwards.
	end int
}

// search finds the arrays and objects of an answer from left to right. Where one
// breaks off it goes on behind the break, so no byte is read twice but the white
// space behind quotation marks.
func search(answer string) []found {
	var out []found
	r := reader{s: answer}
	for r.i < len(answer) {
		at := strings.IndexAny(answer[r.i:], "{[")
		if at < 0 {
			break
		}
		r.i += at
		start := r.i
		v := r.value(0)
		if r.i == start {
			r.i++
		}
		if len(v.elems) > 0 || v.whole {
			out = append(out, found{value: v, end: r.i})
		}
	}
	return out
}

// withoutThoughts removes the reasoning that some models put before their answer.
// open is true if it never ends, so that there is no answer.
func withoutThoughts(answer string) (rest string, open bool) {
	rest = strings.TrimLeft(strings.TrimPrefix(answer, "\ufeff"), " \t\r\n")
	for {
		tag, inside, ok := openingTag(rest)
		if !ok {
			break
		}
		stop := strings.Index(inside, "</"+tag+">")
		if stop < 0 {
			return "", true
		}
		rest = strings.TrimLeft(inside[stop+len(tag)+3:], " \t\r\n")
	}
	// Some servers send the opening tag as a part of the question, so that only
	// the closing one is in the answer.
	if rest != "" && !strings.ContainsRune("{[`", rune(rest[0])) {
		for _, tag := range thoughtTags {
			if _, after, ok := strings.Cut(rest, "</"+tag+">"); ok {
				return after, false
			}
		}
	}
	return rest, false
}

var thoughtTags = [...]string{"think", "thinking", "reasoning"}

func openingTag(s string) (tag, inside string, ok bool) {
	for _, tag := range thoughtTags {
		if inside, ok := strings.CutPrefix(s, "<"+tag+">"); ok {
			return tag, inside, true
		}
	}
	return "", "", false
}

// stateOf judges an answer by the list found in it.
func stateOf(f found, answer string, cut bool) State {
	switch {
	case cut:
		return Cut
	case f.value.whole:
		return Complete
	case strings.TrimSpace(answer[f.end:]) == "":
		return Cut
	}
	return Malformed
}
