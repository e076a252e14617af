package propsegment

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Kind is one way to make a statement wrong, or to say it again in other form.
type Kind struct {
	Name string
	// Words say how it is made and when it is not.
	Words string
	// Least is the share that has to be refused; 0 is no bar.
	Least float64
	// draws is how often it is drawn for one statement, 1 where it is 0; what comes
	// out twice counts once.
	draws int
	// repeats says that the meaning stays, and that the ledger has to find it.
	repeats bool
	make    func(m *maker, s statement, r *rand.Rand) (string, bool)
}

// manyDraws is the number of draws where few statements can be made wrong so.
const manyDraws = 8

// Kinds lists all ways in the order of the table.
func Kinds() []Kind {
	return []Kind{
		{Name: "digit", Words: "one digit of the statement, drawn from all, becomes another one; the first digit of a number of several does not become 0", Least: .995, draws: manyDraws, make: digit},
		{Name: "name inside", Words: "a name behind the first word becomes a name of a document of another cluster. A name is a run of words with capitals that the corpus never writes without, months and days left out; a new name that shares a word with the sentence is drawn again", Least: .98, make: nameInside},
		{Name: "name first", Words: "the same with a name that begins the statement", Least: .98, make: nameFirst},
		{Name: "negation added", Words: "behind one of its auxiliary verbs, drawn from all, comes not or never, or the verb is contracted with it (isn't); not where a negation stands right beside it", Least: .97, make: negationAdded},
		{Name: "negation removed", Words: "one word that negates goes (not, never, no), or becomes its opposite (without: with, nothing: something, isn't: is); not in \"not only\"; \"no longer\" loses both words", Least: .97, draws: manyDraws, make: negationRemoved},
		{Name: "comparison turned", Words: "a word that compares becomes its opposite (more: less, before: after, rose: fell), where the sentence does not hold the other one; not within a name", Least: .97, draws: manyDraws, make: turned},
		{Name: "quantifier changed", Words: "a quantifier (all, some, no, most, many, few, only) becomes another one that the sentence does not hold", Least: .97, draws: manyDraws, make: requantified},
		{Name: "unit", Words: "the unit behind a number, or the sign of a currency before it, becomes another one of the same dimension; %, which has no other, becomes a unit of any dimension", Least: .98, draws: manyDraws, make: unit},
		{Name: "magnitude", Words: "thousand, million or billion behind a number becomes another of the three", draws: manyDraws, make: magnitude},
		{Name: "order", Words: "said again: an adverbial at its end (in, on, at, during, since, until and at most five words) moves to the front, before a comma", Least: .98, repeats: true, make: order},
		{Name: "case", Words: "said again: in small letters, in capitals, or with a capital at each word", Least: .98, repeats: true, make: letterCase},
		{Name: "punctuation", Words: "said again: with a full stop or an exclamation mark added, all commas outside of numbers gone, hyphens between letters made spaces, apostrophes curled, or brackets gone; drawn from those that change it", Least: .98, repeats: true, make: punctuation},
		{Name: namesExchanged, Words: "two of its names change places; not where only names, commas, and, or stand between them, since a list has no order, and not a name with its initials", make: exchanged},
	}
}

const namesExchanged = "names exchanged"

// statement is a proposition and the sentence that it was made from.
type statement struct {
	text, sentence string
	document       int
}

func replace(text string, at span, with string) string {
	return text[:at.start] + with + text[at.stop:]
}

func digit(_ *maker, s statement, r *rand.Rand) (string, bool) {
	isDigit := func(j int) bool { return j >= 0 && j < len(s.text) && '0' <= s.text[j] && s.text[j] <= '9' }
	var at []int
	for i := range len(s.text) {
		if isDigit(i) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return "", false
	}
	i := at[r.IntN(len(at))]
	for {
		d := byte('0' + r.IntN(10))
		if d != s.text[i] && (d != '0' || isDigit(i-1) || !isDigit(i+1)) {
			return replace(s.text, span{i, i + 1}, string(rune(d))), true
		}
	}
}

func negationAdded(m *maker, s statement, r *rand.Rand) (string, bool) {
	list := words(s.text)
	var at []int
	for i, w := range list {
		if !m.language.auxiliaries[s.text[w.start:w.stop]] {
			continue
		}
		if i > 0 && m.negates(s.text, list[i-1]) || i+1 < len(list) && m.negates(s.text, list[i+1]) {
			continue
		}
		at = append(at, i)
	}
	if len(at) == 0 {
		return "", false
	}
	w := list[at[r.IntN(len(at))]]
	verb := s.text[w.start:w.stop]
	var ways []string
	for _, n := range m.language.negations {
		ways = append(ways, verb+" "+n)
	}
	if c := m.language.contractions[verb]; c != "" {
		ways = append(ways, c)
	}
	return replace(s.text, w, ways[r.IntN(len(ways))]), true
}

func (m *maker) negates(text string, w span) bool {
	_, negates := m.language.positive[strings.ToLower(text[w.start:w.stop])]
	return negates
}

func negationRemoved(m *maker, s statement, r *rand.Rand) (string, bool) {
	list := words(s.text)
	type change struct {
		at   span
		with string
	}
	var ways []change
	for i, w := range list {
		word := strings.ToLower(s.text[w.start:w.stop])
		positive, negates := m.language.positive[word]
		next := ""
		if i+1 < len(list) {
			next = strings.ToLower(s.text[list[i+1].start:list[i+1].stop])
		}
		switch {
		case !negates, word == "not" && next == "only", word == "nicht" && next == "nur", word == "no" && next != "" && next[0] <= '9':
			continue // "no. 1"
		case word == "no" && next == "longer":
			w.stop = list[i+1].stop
		}
		if positive == "" && w.stop < len(s.text) && s.text[w.stop] == ' ' {
			w.stop++
		}
		ways = append(ways, change{w, positive})
	}
	if len(ways) == 0 {
		return "", false
	}
	c := ways[r.IntN(len(ways))]
	return strings.TrimSpace(replace(s.text, c.at, c.with)), true
}

// seed makes the random choices for a statement independent of all others.
func seed(parts ...any) *rand.Rand {
	h := uint64(14695981039346656037) // FNV-1a
	for _, b := range []byte(fmt.Sprintln(parts...)) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(h, 1))
}
