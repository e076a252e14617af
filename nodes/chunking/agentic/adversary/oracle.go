package adversary

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// Oracle looks at the final chunks with nothing but regular expressions and
// maps, so that a fault of the verifier cannot hide itself: it shares no code
// with package verify, and is cruder in both directions. It is meant for the
// documents of these tests.
type Oracle struct {
	sentences []string // of all inputs, in order
	input     []int    // the input of each
	words     map[string]bool
}

// NewOracle reads the inputs.
func NewOracle(inputs []verify.Input) *Oracle {
	o := &Oracle{words: map[string]bool{}}
	for i, in := range inputs {
		for _, s := range sentence.Unicode(in.Text) {
			o.sentences = append(o.sentences, s.Slice(in.Text))
			o.input = append(o.input, i)
		}
		for _, w := range words(in.Text) {
			o.words[w] = true
		}
	}
	return o
}

// Sentences returns the sentences that must not be lost.
func (o *Oracle) Sentences() []string { return o.sentences }

var digits = regexp.MustCompile(`[0-9]+`)

// groupedDigits are thousands: 1,240,000.
var groupedDigits = regexp.MustCompile(`\b[0-9]{1,3}(,[0-9]{3})+\b`)

// leastSaid is the share of a sentence's words that the statements resting on it
// must hold together. Less is a word here and there, and the sentence is lost.
const leastSaid = 0.25

// Violations returns what is wrong with the chunks; none for a clean output.
func (o *Oracle) Violations(chunks []agentic.Chunk) []string {
	var out []string
	complain := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	covered, said := map[string]bool{}, map[string][]string{}
	seen := map[string]string{}
	ids := map[string]bool{}
	for _, c := range chunks {
		if ids[c.ID] {
			complain("the id %s stands twice", c.ID)
		}
		ids[c.ID] = true
		if len(c.Propositions) == 0 || strings.TrimSpace(c.Theme) == "" {
			complain("chunk %s is empty or has no theme", c.ID)
		}
		var texts []string
		for _, p := range c.Propositions {
			texts = append(texts, p.Text)
			key := folded(p.Text)
			if before, ok := seen[key]; ok {
				complain("%q repeats %q", p.Text, before)
			}
			seen[key] = p.Text
			for _, s := range p.Sentences {
				if s < 0 || s >= len(o.sentences) {
					complain("%q rests on the sentence %d of %d", p.Text, s, len(o.sentences))
					continue
				}
				covered[folded(o.sentences[s])] = true
				said[folded(o.sentences[s])] = append(said[folded(o.sentences[s])], p.Text)
			}
			out = append(out, o.statement(p)...)
		}
		if c.Content != strings.Join(texts, " ") {
			complain("the content of %s is not its statements joined", c.ID)
		}
	}
	for i, s := range o.sentences {
		switch {
		case folded(s) == "" || o.piece(i, covered):
		case !covered[folded(s)]:
			complain("sentence %d is lost: %q", i, s)
		case shared(s, strings.Join(said[folded(s)], " ")) < leastSaid:
			complain("next to nothing of sentence %d is left: %q in %q", i, s, said[folded(s)])
		}
	}
	return out
}

// piece reports whether sentence i is part of a neighbour that is covered: the
// rest of an overlap that was cut by bytes.
func (o *Oracle) piece(i int, covered map[string]bool) bool {
	for k := max(0, i-4); k < min(len(o.sentences), i+5); k++ {
		if k != i && o.input[k] != o.input[i] && covered[folded(o.sentences[k])] && strings.Contains(folded(o.sentences[k]), folded(o.sentences[i])) {
			return true
		}
	}
	return false
}

// statement looks at one proposition.
func (o *Oracle) statement(p agentic.Proposition) []string {
	var out []string
	var sources []string
	for _, s := range p.Sentences {
		if s >= 0 && s < len(o.sentences) {
			sources = append(sources, o.sentences[s])
		}
	}
	if len(sources) == 0 {
		return []string{fmt.Sprintf("%q rests on nothing", p.Text)}
	}
	source := strings.Join(sources, " ")
	known := map[string]bool{}
	for _, d := range numbers(source) {
		known[d] = true
	}
	for _, d := range numbers(p.Text) {
		if !known[d] {
			out = append(out, fmt.Sprintf("the number %s of %q is in none of its sources", d, p.Text))
		}
	}
	for _, r := range p.Text {
		if unicode.IsControl(r) && !strings.ContainsRune(source, r) {
			out = append(out, fmt.Sprintf("%q holds the control character %q", p.Text, r))
		}
	}
	if negated(p.Text) && !negated(source) {
		out = append(out, fmt.Sprintf("%q is negated and its sources are not", p.Text))
	}
	if strings.Count(source, ".") <= 1 && negated(source) && !negated(p.Text) && shared(source, p.Text) > 0.7 {
		out = append(out, fmt.Sprintf("%q lost the negation of %q", p.Text, source))
	}
	if lead := words(p.Text); len(lead) > 0 && thirdPerson(lead[0]) && !p.Unresolved {
		out = append(out, fmt.Sprintf("%q begins with a pronoun", p.Text))
	}
	for i, w := range strings.Fields(p.Text) {
		if name := words(w); i > 0 && len(name) > 0 && unicode.IsUpper([]rune(strings.TrimLeft(w, "\"'“(„«"))[0]) && !o.words[name[0]] {
			out = append(out, fmt.Sprintf("the name %q of %q is nowhere in the document", w, p.Text))
		}
	}
	strange := 0
	for _, w := range words(p.Text) {
		if len(w) > 4 && !o.words[w] && !o.words[w[:len(w)-1]] && !o.words[w[:len(w)-2]] {
			strange++
		}
	}
	if strange > 2 {
		out = append(out, fmt.Sprintf("%d words of %q are nowhere in the document", strange, p.Text))
	}
	return out
}

// words are the words of a text in lower case; each character of a script
// without spaces is one.
func words(text string) []string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			b.WriteString(" " + string(r) + " ")
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// folded is a text without case, punctuation and spaces.
func folded(text string) string { return strings.Join(words(text), " ") }

// shared is the part of the words of a that are in b.
func shared(a, b string) float64 {
	in := map[string]bool{}
	for _, w := range words(b) {
		in[w] = true
	}
	n := 0
	list := words(a)
	for _, w := range list {
		if in[w] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(list)))
}

// numbers returns the runs of digits, those of words such as twelve too.
func numbers(text string) []string {
	text = groupedDigits.ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, ",", "") })
	var out []string
	for _, d := range digits.FindAllString(text, -1) {
		if d = strings.TrimLeft(d, "0"); d == "" {
			d = "0"
		}
		out = append(out, d)
	}
	for _, w := range words(text) {
		if d, ok := spelledNumber(w); ok {
			out = append(out, d)
		}
	}
	return out
}

// negated reports a word that negates in English or German.
func negated(text string) bool {
	for _, w := range words(text) {
		switch w {
		case "not", "no", "never", "none", "nobody", "nothing", "cannot", "neither", "nor", "without", "hardly",
			"nicht", "kein", "keine", "keinen", "nie", "niemals":
			return true
		}
	}
	return strings.Contains(strings.ToLower(text), "n't")
}
