package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Item is one statement of an answer, with all escapes decoded.
type Item struct {
	// Text is not blank, and valid UTF-8.
	Text string
	// Labels are those of the sentences it rests on, as the model wrote them;
	// nil when it gave none.
	Labels []string
}

// Answer is what there is in an answer about propositions.
type Answer struct {
	Items []Item
	State State
	// Closed says that the list has its end, also when the server called the
	// answer cut. If not, what was to follow the last item is unknown.
	Closed bool
	// Skipped counts the elements of the list that hold no statement.
	Skipped int
}

// Propositions reads an answer that is to hold a list of statements; cut says
// that the server called it cut.
//
// Read are {"propositions":[{"text":..., "sentences":[...]}]} and what models
// make of it: the list without the object, objects one after another, strings
// for objects, other names for the members. The text of an object is its member
// "text" (or proposition, statement, claim, fact, content, sentence), else its
// only string.
func Propositions(answer string, cut bool) Answer {
	body, open := withoutThoughts(answer)
	if open {
		return Answer{State: Cut}
	}
	out := Answer{State: Malformed}
	if cut {
		out.State = Cut
	}
	lists := 0
	broken := false // a value before broke off, and what follows may be its rest
	for _, f := range search(body) {
		list, single, ok := listOf(f.value, 0)
		if !ok {
			broken = broken || !f.value.whole
			continue
		}
		items, skipped := itemsOf(list, broken)
		state := stateOf(f, body, cut)
		switch {
		case lists > 0 && (single || broken):
			// A list that broke stays malformed, whatever is found behind the break.
			out.Items, out.Skipped = append(out.Items, items...), out.Skipped+skipped
			if out.State != Malformed {
				out.State, out.Closed = state, f.value.whole
			}
		case lists == 0 || len(items) > 0 || !f.value.whole:
			out = Answer{Items: items, Skipped: skipped, State: state, Closed: f.value.whole}
		}
		lists++
		broken = !f.value.whole
	}
	return out
}

// listOf finds the list of statements in a value. single is true for an object
// that is a statement itself.
func listOf(v node, depth int) (list []node, single, ok bool) {
	switch v.kind {
	case array:
		for _, e := range v.elems {
			if e.kind == text || e.kind == object && isItem(e) {
				return v.elems, false, true
			}
		}
		if len(v.elems) == 0 && v.whole {
			return nil, false, true
		}
	case object:
		if named, _ := namedText(v); named != "" && !hasList(v) {
			return []node{v}, true, true
		}
		var all []node
		for i, e := range v.elems {
			if e.kind == array && isListKey(v.keys[i]) {
				all, ok = append(all, e.elems...), true
			}
		}
		if ok {
			return all, false, true
		}
	}
	if depth < 4 {
		for _, e := range v.elems {
			if e.kind == object || e.kind == array {
				if list, single, ok := listOf(e, depth+1); ok && len(list) > 0 && !isLabels(list) {
					return list, single, true
				}
			}
		}
	}
	if v.kind == object && isItem(v) {
		return []node{v}, true, true
	}
	return nil, false, false
}

// isListKey says whether a member of that name is a list of statements.
func isListKey(key string) bool {
	switch strings.ToLower(key) {
	case "propositions", "items", "statements", "facts", "claims", "data", "results":
		return true
	}
	return false
}

func hasList(v node) bool {
	for i, e := range v.elems {
		if e.kind == array && isListKey(v.keys[i]) {
			return true
		}
	}
	return false
}

// isItem says whether an object can be a statement.
func isItem(v node) bool {
	_, ok := textOf(v)
	return ok
}

// namedText returns the member that is called the statement.
func namedText(v node) (string, bool) {
	for _, want := range [...]string{"text", "proposition", "statement", "claim", "fact", "content", "sentence"} {
		for i, e := range v.elems {
			if e.kind == text && v.keys[i] == want {
				return e.text, true
			}
		}
	}
	return "", false
}

// textOf returns the statement in an object.
func textOf(v node) (string, bool) {
	if s, ok := namedText(v); ok {
		return s, true
	}
	only, strings := "", 0
	for i, e := range v.elems {
		if e.kind == text && !isLabelKey(v.keys[i]) {
			only, strings = e.text, strings+1
		}
	}
	return only, strings == 1
}

// isLabelKey says whether a member of that name holds labels.
func isLabelKey(key string) bool {
	switch strings.ToLower(key) {
	case "sentences", "sources", "labels", "label", "source", "sentence", "ids", "id", "refs":
		return true
	}
	return false
}

// itemsOf turns the elements of a list into statements. An object that was cut is
// none, since its labels may be missing. In the rest of a broken list strings
// without a space are labels or words, never statements.
func itemsOf(list []node, rest bool) (items []Item, skipped int) {
	if rest && isLabels(list) {
		return nil, 0
	}
	for _, e := range list {
		if !e.whole {
			continue
		}
		it := Item{}
		switch e.kind {
		case text:
			it.Text = e.text
		case object:
			it.Text, _ = textOf(e)
			it.Labels = labelsOf(e)
		}
		if isBlankText(it.Text) {
			skipped++
			continue
		}
		it.Text = strings.ToValidUTF8(strings.TrimSpace(it.Text), "\ufffd")
		items = append(items, it)
	}
	return items, skipped
}

// isLabels says that a list holds nothing but strings without a space.
func isLabels(list []node) bool {
	for _, e := range list {
		if e.kind != text && e.kind != number || strings.ContainsFunc(e.text, unicode.IsSpace) {
			return false
		}
	}
	return len(list) > 0
}

func isBlankText(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) && !unicode.IsControl(r) && r != utf8.RuneError {
			return false
		}
	}
	return true
}

// labelsOf collects the labels of an object, from a list, a string or a number.
func labelsOf(v node) []string {
	main, _ := textOf(v)
	var out []string
	for i, e := range v.elems {
		if !isLabelKey(v.keys[i]) || e.kind == text && e.text == main {
			continue
		}
		out = appendLabels(out, e)
	}
	return out
}

func appendLabels(out []string, e node) []string {
	switch e.kind {
	case text, number:
		if e.whole {
			return append(out, e.text)
		}
	case array:
		for _, l := range e.elems {
			if (l.kind == text || l.kind == number) && l.whole {
				out = append(out, l.text)
			}
		}
	}
	return out
}
