package group

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking/terms"
)

// MaxLabel is the most code points of a label.
const MaxLabel = 80

// Label makes a label fit to be shown: one line, no control characters or other
// invisible ones, no quotation marks or markdown around it, at most MaxLabel code
// points, cut between words where there are any.
func Label(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d', r == utf8.RuneError, unicode.In(r, unicode.Co, unicode.Cs):
			return -1
		}
		return r
	}, s)
	s = strings.Trim(strings.Join(strings.Fields(s), " "), " \"'`*_#“”„‘’«»:;,")
	runes := []rune(s)
	if len(runes) <= MaxLabel {
		return s
	}
	cut := string(runes[:MaxLabel])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:")
}

// Ground takes away every label with a number that none of its theme's texts
// holds: a label is no place to invent either.
func (t *Themes) Ground(texts []string) {
	numbers := make([]map[string]bool, len(t.Labels))
	for k, l := range t.Labels {
		if strings.ContainsFunc(l, unicode.IsDigit) {
			numbers[k] = map[string]bool{}
		}
	}
	for i, k := range t.Of {
		if k != None && numbers[k] != nil {
			for _, n := range digits(texts[i]) {
				numbers[k][n] = true
			}
		}
	}
	for k, known := range numbers {
		if known != nil && slices.ContainsFunc(digits(t.Labels[k]), func(n string) bool { return !known[n] }) {
			t.Labels[k] = ""
		}
	}
}

func digits(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
}

// tellingWords is how many words make a label.
const tellingWords = 3

// Tell gives every theme without a label its most telling words: those that stand
// often in it and seldom elsewhere.
func (t *Themes) Tell(texts []string) {
	bare := false
	for _, l := range t.Labels {
		bare = bare || l == ""
	}
	if !bare {
		return
	}
	v := newVocabulary()
	counts := make([]map[int32]int, len(t.Labels))
	for i, text := range texts {
		k := t.Of[i]
		if k == None {
			continue
		}
		if counts[k] == nil {
			counts[k] = map[int32]int{}
		}
		for _, w := range v.add(text) {
			counts[k][w]++
		}
	}
	themes := make([]int, v.index.Len())
	for _, c := range counts {
		for w := range c {
			themes[w]++
		}
	}
	for k, l := range t.Labels {
		if l == "" {
			t.Labels[k] = v.label(counts[k], themes, len(t.Labels))
		}
	}
	// Where every word is a function word, the first words have to do.
	for i, text := range texts {
		if k := t.Of[i]; k != None && t.Labels[k] == "" {
			words := strings.Fields(text)
			t.Labels[k] = Label(strings.Join(words[:min(2*tellingWords, len(words))], " "))
		}
	}
	for k, l := range t.Labels {
		if l == "" {
			t.Labels[k] = "Other"
		}
	}
}

// vocabulary knows how terms are written.
type vocabulary struct {
	index *terms.Index
	stop  map[string]bool
	// forms counts the spellings of a term.
	forms map[int32]map[string]int
}

func newVocabulary() *vocabulary {
	v := &vocabulary{index: terms.NewIndex(), stop: map[string]bool{}, forms: map[int32]map[string]int{}}
	for _, w := range strings.Fields(functionWords) {
		v.stop[w] = true
	}
	return v
}

// functionWords are frequent words without a meaning of their own in German,
// French, Spanish and Italian; those of English are known to package terms.
const functionWords = `der die das den dem des ein eine einer eines einem einen und oder aber nicht auch als auf aus bei bis
durch für gegen hat hatte haben ihr ihre ist im in mit nach noch nur ob ohne sein seine sich sie sind so über um unter vom
von vor war waren was wenn werden wie wird wurde wurden zu zum zur zwischen kann können muss dass dann dieser diese dieses
alle bereits sehr schon mehr beim man wir ich es er le la les un une des du de et ou mais pas ne est sont a ont dans sur
sous pour par avec sans ce cette ces qui que dont il elle ils elles fut été se son sa ses leur leurs au aux plus el los
las del y o pero no es son en con sin por para como su sus al lo gli i dei della delle di da e è ma non che per tra`

// add returns the terms of a text and remembers how they are written.
func (v *vocabulary) add(text string) []int32 {
	var out []int32
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '-' && r != '\''
	}) {
		word = strings.TrimSuffix(strings.Trim(word, "-'"), "'s")
		if !strings.ContainsFunc(word, unicode.IsLetter) || v.stop[strings.ToLower(word)] {
			continue
		}
		found := v.index.Add(word)
		if len(found) > 1 && word[0] >= utf8.RuneSelf && !strings.Contains(word, "-") {
			out = append(out, v.pairs(word)...)
			continue
		}
		if len(found) > 0 {
			out = append(out, found[0])
			v.note(found[0], word)
		}
	}
	return out
}

// pairs are the terms of a script without spaces.
func (v *vocabulary) pairs(word string) []int32 {
	var out []int32
	runes := []rune(word)
	for i := 0; i+1 < len(runes); i++ {
		pair := string(runes[i : i+2])
		if found := v.index.Add(pair); len(found) == 1 {
			out = append(out, found[0])
			v.note(found[0], pair)
		}
	}
	return out
}

func (v *vocabulary) note(term int32, form string) {
	if v.forms[term] == nil {
		v.forms[term] = map[string]int{}
	}
	v.forms[term][form]++
}

// form is the most frequent spelling of a term.
func (v *vocabulary) form(term int32) string {
	best, most := "", 0
	for f, n := range v.forms[term] {
		if n > most || n == most && f > best { // lower case before upper case
			best, most = f, n
		}
	}
	return best
}

// label joins the words of a theme that score most.
func (v *vocabulary) label(count map[int32]int, themes []int, n int) string {
	type scored struct {
		form  string
		score float64
	}
	var all []scored
	for w, c := range count {
		form := v.form(w)
		length := utf8.RuneCountInString(form)
		score := (0.5 + float64(c)) * math.Log(1.2+float64(n)/float64(themes[w]))
		if length < 3 && form[0] < utf8.RuneSelf {
			score /= 4
		}
		all = append(all, scored{form, score})
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].score != all[j].score {
			return all[i].score > all[j].score
		}
		if len(all[i].form) != len(all[j].form) {
			return len(all[i].form) > len(all[j].form)
		}
		return all[i].form < all[j].form
	})
	words := make([]string, 0, tellingWords)
	for _, s := range all[:min(tellingWords, len(all))] {
		words = append(words, s.form)
	}
	label := Label(strings.Join(words, ", "))
	if label == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(label)
	return string(unicode.ToUpper(r)) + label[size:]
}
