package adversary

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode"
)

// invention is a fact that stands in no document of the tests.
func invention(r *rand.Rand) string {
	return pick(r,
		"The queen's submarine was painted yellow by Portuguese dentists.",
		"Professor Quimby Thistlewaite won 48 chess tournaments in Uruguay.",
		"Elephants crossed the frozen strait carrying 7,300 barrels of marmalade.",
		"Chocolate exports to Madagascar collapsed during the 1790s.",
		"A meteorite destroyed the opera house of Ulan Bator.")
}

func inFinnish(r *rand.Rand) string {
	return pick(r, "Kissa istui ikkunalla ja katseli sadetta.", "Vanha laiva saapui satamaan yöllä.", "Kirjasto suljettiin viime keväänä.")
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// changeDigit changes one digit to another; a text without one is left out.
func changeDigit(r *rand.Rand, s string) string {
	at := digits.FindAllStringIndex(s, -1)
	if len(at) == 0 {
		return ""
	}
	run := at[r.IntN(len(at))]
	i := run[0] + r.IntN(run[1]-run[0])
	d := byte('0' + (int(s[i]-'0')+1+r.IntN(8))%10)
	if i == run[0] && d == '0' {
		d = '9' - (s[i] - '0')
		if d == s[i] || d == '0' {
			d = '5'
		}
	}
	if d == s[i] {
		d = '0' + (s[i]-'0'+1)%10
	}
	return s[:i] + string(d) + s[i+1:]
}

// language tells the languages of the test documents apart: "en", "de", or ""
// for those without rules for words.
func language(s string) string {
	for _, w := range words(s) {
		switch w {
		case "der", "die", "das", "bei", "und":
			return "de"
		case "le", "la", "un", "il", "une", "は", "の":
			return ""
		}
	}
	return "en"
}

// addNot negates a statement that is not negated, in its language.
func addNot(s string) string {
	if negated(s) || language(s) == "" {
		return ""
	}
	if f := strings.Fields(s); language(s) == "de" && len(f) > 3 {
		return strings.Join(f[:len(f)-1], " ") + " nicht " + f[len(f)-1]
	}
	for _, aux := range []string{" is ", " are ", " was ", " were ", " has ", " had ", " may ", " must ", " can ", " have "} {
		if before, after, ok := strings.Cut(s, aux); ok {
			return before + aux + "not " + after
		}
	}
	f := strings.Fields(s)
	if len(f) < 4 {
		return ""
	}
	return strings.Join(f[:2], " ") + " never " + strings.Join(f[2:], " ")
}

// dropNegation takes the negation out of a statement that has one.
func dropNegation(s string) string {
	if !negated(s) {
		return ""
	}
	var out []string
	for _, w := range strings.Fields(s) {
		if !negated(w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

var month = regexp.MustCompile(`\b(January|March|April|May|June|September|October|December)\b`)

// otherMonth names another month where there is one.
func otherMonth(r *rand.Rand, s string) string {
	if !month.MatchString(s) {
		return ""
	}
	return month.ReplaceAllStringFunc(s, func(string) string { return pick(r, "February", "July", "August", "November") })
}

// turnWords turns the direction of a statement round.
func turnWords(s string) string {
	out := strings.NewReplacer("All ", "Some ", "Some ", "All ", "No ", "Every ", " only ", " not only ", "Only ", "Not only ",
		" more ", " less ", " less ", " more ", " fewer ", " more ", "Fewer ", "More ", " finer ", " coarser ",
		" before ", " after ", " after ", " before ", " never ", " always ", " cheaper ", " dearer ", " larger ", " smaller ",
		" rise ", " fall ", " rose ", " fell ", " grew ", " shrank ").Replace(s)
	if out == s {
		return ""
	}
	return out
}

// otherUnit exchanges units.
func otherUnit(s string) string {
	out := strings.NewReplacer("°C", "°F", " percent", " kilograms", " %", " km", "metres", "miles", "minutes", "hours", "hours", "minutes",
		" tons", " ounces", "weeks", "years", "years", "days", "kilowatts", "megawatts", "mètres", "kilomètres", "euros", "dollars", "kroner", "rubles").Replace(s)
	if out == s {
		return ""
	}
	return out
}

// otherName puts a stranger in the place of each name inside a statement.
func otherName(r *rand.Rand, s string) string {
	f := strings.Fields(s)
	changed := false
	for i := range f {
		if i == 0 || len(f[i]) < 4 || !unicode.IsUpper(rune(f[i][0])) {
			continue
		}
		f[i] = pick(r, "Zanzibar", "Ottokar", "Featherstone", "Kowalczyk")
		changed = true
	}
	if !changed {
		return ""
	}
	return strings.Join(f, " ")
}

// pronounFor puts a pronoun where the subject stood.
func pronounFor(r *rand.Rand, s string) string {
	f := strings.Fields(s)
	if len(f) < 5 || language(s) == "" {
		return s
	}
	n := 1
	switch strings.ToLower(f[0]) {
	case "the", "a", "der", "die", "das", "jede":
		n = 2
	}
	pronoun := pick(r, "It", "They", "She", "He")
	if language(s) == "de" {
		pronoun = pick(r, "Er", "Sie", "Es")
	}
	return strings.Join(append([]string{pronoun}, f[n:]...), " ")
}

// reword changes nothing but case, punctuation or the order of two parts.
func reword(r *rand.Rand, s string) string {
	switch r.IntN(4) {
	case 0:
		return strings.TrimRight(s, ".") + "!"
	case 1:
		return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
	case 2:
		if before, after, ok := strings.Cut(strings.TrimRight(s, "."), ", "); ok {
			return after + ", " + before + "."
		}
	}
	return "“" + s + "”"
}
