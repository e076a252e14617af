package extractive

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Splitter divides compound sentences of some languages.
type Splitter struct{ languages []*language }

// language is what the splitter knows of one.
type language struct {
	// joints are what may stand between two halves.
	joints []string
	// subjects begin a subject, verbs are finite ones, governors forbid a cut.
	subjects, verbs, governors map[string]bool
}

// New returns a splitter for languages, of which "en" and "de" are known.
func New(languages []string) *Splitter {
	s := &Splitter{}
	for _, l := range languages {
		switch l {
		case "en":
			s.languages = append(s.languages, &language{[]string{"; ", ", and ", ", but "}, set(englishSubjects), set(englishVerbs), set(englishGovernors)})
		case "de":
			s.languages = append(s.languages, &language{[]string{"; ", ", und ", ", aber "}, set(germanSubjects), set(germanVerbs), set(germanGovernors)})
		}
	}
	return s
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

const (
	englishSubjects = `the a an every each most many several some two three four five six seven eight nine ten`
	englishVerbs    = `is are was were has have had does did will would can could must may might should`
	// Words that can govern both halves, refer from one to the other, or make a
	// list of what follows.
	englishGovernors = `if unless when whenever while because since although though whereas until before after that
		which who whom whose what whether where why how as than so either neither both not only no nor never none nobody
		between among said says say told claims claimed reported according respectively including such like other others
		another same former latter more less fewer also too instead otherwise therefore thus then there here again first
		second third finally it its they them their theirs he him his she her hers this these those we us our you your i`
	germanSubjects  = `der die das ein eine jeder jede jedes viele mehrere einige zwei drei vier fünf sechs sieben acht neun zehn`
	germanVerbs     = `ist sind war waren hat haben hatte hatten wird werden wurde wurden kann können konnte konnten muss müssen soll sollen darf dürfen`
	germanGovernors = `wenn falls weil da obwohl während bevor nachdem dass ob damit sodass als wie welcher welche welches dessen
		deren denen wer wen wem was wo warum sondern weder noch entweder oder sowohl nicht kein keine keinen nie niemals niemand
		zwischen sagte sagt laut zufolge beziehungsweise darunter solche andere anderen anderer dieselbe derselbe mehr weniger
		auch ebenso stattdessen sonst daher deshalb dann dort hier wieder erstens zweitens er sie es ihn ihm ihr ihre ihren
		ihrem ihrer sein seine seinen seinem seiner dies dieser diese dieses diesen diesem wir uns unser man ich du`
)

// Split returns the two halves of a sentence, each with its full stop, or the
// sentence alone. Whoever calls it checks the halves against the sentence.
func (s *Splitter) Split(sentence string) []string {
	if !strings.HasSuffix(sentence, ".") || strings.ContainsAny(sentence, "\"“”„«»()[]{}|\n`:") || strings.Count(sentence, ",") > 1 {
		return []string{sentence}
	}
	for _, l := range s.languages {
		if first, second, ok := l.split(sentence); ok {
			return []string{first, second}
		}
	}
	return []string{sentence}
}

func (l *language) split(sentence string) (first, second string, ok bool) {
	joint := ""
	for _, j := range l.joints {
		if n := strings.Count(sentence, j); n > 1 || n == 1 && joint != "" {
			return "", "", false // what belongs together is not certain
		} else if n == 1 {
			joint = j
		}
	}
	if joint == "" {
		return "", "", false
	}
	for _, word := range words(sentence) {
		if l.governors[strings.ToLower(word)] {
			return "", "", false
		}
	}
	first, second, _ = strings.Cut(sentence, joint)
	if !l.clause(first, true) || !l.clause(second, false) {
		return "", "", false
	}
	r, size := utf8.DecodeRuneInString(second)
	return first + ".", string(unicode.ToUpper(r)) + second[size:], true
}

// clause reports whether a piece has a subject that begins it and a verb within
// a few words, and is long enough to say something. The first piece may begin with
// any word that is written with a capital, the second one only with a word that is
// known to begin a subject.
func (l *language) clause(piece string, first bool) bool {
	w := words(piece)
	if len(w) < 4 {
		return false
	}
	head := strings.ToLower(w[0])
	if !l.subjects[head] && (!first || !unicode.IsUpper([]rune(w[0])[0])) {
		return false
	}
	for i, word := range w {
		if i >= 2 && i <= 6 && l.verbs[word] {
			return true
		}
	}
	return false
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' && r != '-'
	})
}
