package verify

import (
	"slices"
	"strings"
)

// dangling returns the first pronoun whose referent is not in the same text, or
// "".
func (c *Checker) dangling(text string, tokens []token) string {
	if p := c.fronted(text); p != "" {
		return p
	}
	nouns := 0
	person := false
	seen := set{}
	for i, t := range tokens {
		for _, l := range c.active {
			switch {
			case l.persons[t.fold] && !person:
				return t.raw
			case l.things[t.fold] && nouns == 0 && !pleonastic(tokens, i):
				return t.raw
			case l.demonstratives[t.fold] && i+1 < len(tokens) && !seen[stem(tokens[i+1].fold)] && (nouns == 0 || !c.function(tokens[i+1].fold)):
				return t.raw
			case l.demonstratives[t.fold] && i+1 == len(tokens):
				return t.raw
			}
		}
		if t.kind == word && !c.function(t.fold) {
			nouns++
			seen[stem(t.fold)] = true
			if t.upper && (!t.first || !c.lower[stem(t.fold)]) || isPerson(t.fold) {
				person = true
			}
		}
	}
	return ""
}

// fronted returns the pronoun that follows an adverbial at the start: "In winter,
// they come". The words of the adverbial are no referents.
func (c *Checker) fronted(text string) string {
	head, rest, ok := strings.Cut(text, ",")
	if !ok || len(head) > 60 || strings.Contains(head, ". ") {
		return ""
	}
	first, next := strings.Fields(head), strings.Fields(rest)
	if len(first) == 0 || len(next) == 0 {
		return ""
	}
	for _, l := range c.active {
		w := strings.ToLower(next[0])
		if l.prepositions[strings.ToLower(first[0])] && (l.things[w] && w != "it" && w != "es" || l.persons[w]) {
			return next[0]
		}
	}
	return ""
}

// impersonal are the words that make an "it is ... that" without a referent.
const impersonal = ` known true false likely unlikely possible impossible important clear unclear said believed estimated expected thought
	necessary difficult easy hard common rare customary assumed hoped feared agreed forbidden allowed worth bekannt wahr
	möglich unmöglich wichtig klar unklar nötig schwer leicht üblich erlaubt verboten `

// pleonastic reports whether "it" stands for nothing: "it is known that".
func pleonastic(tokens []token, i int) bool {
	if tokens[i].fold != "it" && tokens[i].fold != "es" || i+3 >= len(tokens) {
		return false
	}
	switch tokens[i+1].fold {
	case "is", "was", "seems", "appears", "ist", "war":
	default:
		return false
	}
	j := i + 2
	if tokens[j].fold == "not" || tokens[j].fold == "nicht" {
		j++
	}
	if !slices.Contains(strings.Fields(impersonal), tokens[j].fold) || j+1 >= len(tokens) {
		return false
	}
	next := tokens[j+1].fold
	return next == "that" || next == "to" || next == "for" || next == "whether" || next == "dass" || next == "zu" || next == "ob"
}

// Carry returns the first sentence, at most three before, that has to go with a
// sentence so that no pronoun dangles.
func (c *Checker) Carry(sentence int) (from int, resolved bool) {
	tokens, text := c.sentences[sentence].tokens, c.doc.Text(sentence)
	if c.dangling(text, tokens) == "" {
		return sentence, true
	}
	for from = sentence - 1; from >= max(0, sentence-3); from-- {
		tokens = append(slices.Clone(c.sentences[from].tokens), tokens...)
		text = c.doc.Text(from) + " " + text
		if c.dangling(text, tokens) == "" {
			return from, true
		}
	}
	return sentence, false
}

var quoteFolds = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'")

// foldQuotes folds quotation marks, case and white space.
func foldQuotes(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(quoteFolds.Replace(s), `"`, `'`)), " "))
}

// quotations returns what stands between double quotation marks.
func quotations(s string) []string {
	parts := strings.Split(quoteFolds.Replace(s), `"`)
	var out []string
	for i := 1; i+1 < len(parts); i += 2 {
		if q := strings.Trim(parts[i], " ,.;:!?"); q != "" {
			out = append(out, q)
		}
	}
	return out
}
