package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ordinal decides behind figures (or a Roman numeral) and a full stop that
// something follows: an ordinal number, a part of a date, or the end.
func (s *splitter) ordinal(figures string, at, next int, follower string) bool {
	if follower == "" || opens(follower, false) {
		return false
	}
	previous := previousWord(s.text, s.start, at)
	if onlyDigits(follower) {
		return s.datePart(figures, previous, next, follower)
	}
	if utf8.RuneCountInString(figures) > 3 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(follower)
	if isIdeographic(first) || unicode.Is(unicode.Hangul, first) {
		// 2024. 7. 29. 서울에서: the day of a date whose parts stand before it.
		return s.dateBefore(at)
	}
	if ordered(follower) {
		return true
	}
	if !isUpper(first) || opens(follower, true) {
		return false
	}
	if previous == "am" && s.endsWith(at, "I am ") {
		return false
	}
	return ordering(previous)
}

// datePart reports whether the figures before a full stop and those behind it
// are parts of one date: 29. 7. 2024 or 2024. 7. 29.
func (s *splitter) datePart(figures, previous string, next int, follower string) bool {
	after := s.text[next+len(follower):]
	if len(follower) <= 2 && strings.HasPrefix(after, ".") {
		r, _ := utf8.DecodeRuneInString(after[1:])
		return !isDigit(r) && !isLetter(r)
	}
	day, ok := strings.CutSuffix(previous, ".")
	return ok && onlyDigits(day) && len(day) <= 2 && len(figures) <= 2 && len(follower) == 4
}

// dateBefore reports whether a year and a month, each with a full stop, stand
// directly before the day at i.
func (s *splitter) dateBefore(i int) bool {
	month := previousWord(s.text, s.start, i)
	m, ok := strings.CutSuffix(month, ".")
	if !ok || !onlyDigits(m) || len(m) > 2 {
		return false
	}
	low := strings.LastIndex(s.text[s.start:i], month) + s.start
	year, ok := strings.CutSuffix(previousWord(s.text, s.start, low), ".")
	return ok && onlyDigits(year) && len(year) == 4
}

func (s *splitter) endsWith(i int, suffix string) bool {
	return strings.HasSuffix(s.text[s.start:i], suffix)
}

// ordering reports the German words that an ordinal follows: am 3., der 2.
func ordering(word string) bool {
	switch word {
	case "am", "vom", "zum", "zur", "beim", "im", "ab", "bis", "seit", "dem", "den", "der", "des", "die", "das",
		"einem", "einen", "einer", "eines", "ein", "eine", "jeder", "jedem", "jeden", "jedes", "jede",
		"dieser", "diesem", "diesen", "dieses", "diese", "sein", "seinem", "seinen", "seiner", "seine",
		"ihr", "ihrem", "ihren", "ihrer", "ihre", "mein", "meinem", "meinen", "meiner", "meine",
		"unser", "unserem", "unseren", "unserer", "unsere", "Am", "Vom", "Zum", "Zur", "Beim", "Im", "Ab",
		"Der", "Die", "Das", "Dem", "Den", "Des":
		return true
	}
	return false
}

// ordered reports the German nouns that follow an ordinal without an article:
// months, and what is counted in headings, leagues and epochs.
func ordered(word string) bool {
	switch word {
	case "Januar", "Jänner", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
		"Oktober", "November", "Dezember",
		"Jahrhundert", "Jahrhunderts", "Jahrhunderte", "Jahrtausend", "Jahrtausends",
		"Kapitel", "Kapitels", "Abschnitt", "Auflage", "Ausgabe", "Band", "Teil", "Akt", "Szene", "Satz", "Strophe",
		"Bundesliga", "Liga", "Spieltag", "Runde", "Platz", "Rang", "Halbzeit", "Minute",
		"Klasse", "Semester", "Stock", "Stockwerk", "Etage", "Obergeschoss", "Untergeschoss",
		"Geburtstag", "Jahrestag", "Lebensjahr", "Weltkrieg", "Weltkriegs", "Weltkrieges", "Quartal", "Halbjahr",
		"Advent", "Sonntag", "Petersbrief", "Korintherbrief":
		return true
	}
	return false
}
