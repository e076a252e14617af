package verify

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	word kind = iota
	number
	mark
)

type token struct {
	kind    kind
	raw     string
	fold    string // lower case; a number's value
	upper   bool
	first   bool
	word    bool // a number written as a word
	bracket bool // a number alone in brackets
	joined  bool // a number that a hyphen, dash, slash or colon joins to what stands before it
}

// scan reads the words, numbers and unit signs of a text.
func (x *lexis) scan(s string) []token {
	out := make([]token, 0, len(s)/6+1)
	first := true
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsDigit(r):
			if parts, n := date(s[i:]); parts != nil {
				out = append(out, parts...)
				i, first = i+n, false
				continue
			}
			j := i
			for j < len(s) {
				c := s[j]
				if '0' <= c && c <= '9' || (c == '.' || c == ',') && j+1 < len(s) && '0' <= s[j+1] && s[j+1] <= '9' {
					j++
					continue
				}
				r2, n := utf8.DecodeRuneInString(s[j:])
				if r2 >= utf8.RuneSelf && unicode.IsDigit(r2) {
					j += n
					continue
				}
				break
			}
			t := token{kind: number, raw: s[i:j], fold: valueOf(s[i:j]), first: first, bracket: i > 0 && s[i-1] == '(' && j < len(s) && s[j] == ')', joined: isJoined(s[:i])}
			if (strings.HasPrefix(s[j:], "s") || strings.HasPrefix(s[j:], "S")) && (len(s) == j+1 || !letterAt(s, j+1)) {
				t.fold, j = t.fold+"s", j+1 // a decade
			}
			out = append(out, t)
			first = false
			for _, suffix := range []string{"st", "nd", "rd", "th"} {
				if len(s) >= j+2 && strings.EqualFold(s[j:j+2], suffix) && (len(s) == j+2 || !unicode.IsLetter(rune(s[j+2]))) {
					j += 2
					break
				}
			}
			i = j
		case isDense(r):
			r2, n := utf8.DecodeRuneInString(s[i+size:])
			if isDense(r2) {
				out = append(out, token{kind: word, raw: s[i : i+size+n], fold: s[i : i+size+n], first: false})
			}
			i += size
			first = false
		case unicode.IsLetter(r):
			j := i
			for j < len(s) {
				r2, n := utf8.DecodeRuneInString(s[j:])
				if unicode.IsLetter(r2) && !isDense(r2) || unicode.IsMark(r2) || unicode.IsDigit(r2) || r2 == '²' || r2 == '³' || (r2 == '\'' || r2 == '’') && j > i && j+n < len(s) && letterAt(s, j+n) {
					j += n
					continue
				}
				break
			}
			w := strings.ReplaceAll(s[i:j], "’", "'")
			fold := strings.ToLower(w)
			fold = strings.TrimSuffix(fold, "'s")
			t := token{kind: word, raw: w, fold: fold, upper: unicode.IsUpper(r), first: first}
			if strings.HasSuffix(fold, "n't") {
				out = append(out, token{kind: word, raw: "not", fold: "not"})
				t.fold = strings.TrimSuffix(fold, "n't")
			}
			if v, ok := x.numbers[fold]; ok {
				t.kind, t.fold, t.word = number, v, true
			}
			out = append(out, t)
			first = false
			i = j
		default:
			if strings.ContainsRune("%°€$£¥", r) {
				j := i + size
				if r == '°' && j < len(s) && strings.IndexByte("CFcf", s[j]) >= 0 {
					j++
				}
				out = append(out, token{kind: mark, raw: s[i:j], fold: strings.ToLower(s[i:j])})
				i = j
				continue
			}
			i += size
		}
	}
	out = x.joinNumerals(out)
	x.nameMonths(out)
	return out
}

// isJoined reports whether a text ends with a hyphen, dash, slash or colon that
// joins what stands before it to what follows.
func isJoined(s string) bool {
	for _, sign := range []string{"-", "–", "/", ":"} {
		if head, ok := strings.CutSuffix(s, sign); ok {
			return head != "" && head[len(head)-1] != ' ' && head[len(head)-1] != '\n'
		}
	}
	return false
}

func letterAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

// firstDense is the first character of a script that sets no spaces.
const firstDense = 0x0e00

// isDense reports whether a character belongs to such a script.
func isDense(r rune) bool {
	return r >= firstDense && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func valueOf(s string) string {
	t := s
	if i := strings.LastIndexAny(t, ".,"); i >= 0 {
		groups := strings.FieldsFunc(t, func(r rune) bool { return r == '.' || r == ',' })
		thousands := len(groups[0]) <= 3 && groups[0] != "0"
		for _, g := range groups[1:] {
			thousands = thousands && len(g) == 3
		}
		if thousands {
			t = strings.Join(groups, "")
		} else if len(groups) == 2 {
			t = groups[0] + "." + groups[1]
		}
	}
	if len(t) > 1 && t[0] == '0' && t[1] != '.' {
		return s // 007 is no 7
	}
	if f, err := strconv.ParseFloat(t, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}

// lexis is what reading text needs: numbers and units as words.
type lexis struct{ numbers, units, magnitudes, months map[string]string }

func newLexis() *lexis {
	x := &lexis{numbers: map[string]string{}, units: unitNames(), magnitudes: magnitudeNames(), months: map[string]string{}}
	for _, list := range []struct {
		from, step int
		words      string
	}{
		{2, 1, `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty`},
		{30, 10, `thirty forty fifty sixty seventy eighty ninety`},
		{2, 1, `zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig`},
		{30, 10, `dreißig vierzig fünfzig sechzig siebzig achtzig neunzig`},
		{0, 1, `zero`}, {0, 1, `null`},
	} {
		for i, w := range strings.Fields(list.words) {
			x.numbers[w] = strconv.Itoa(list.from + i*list.step)
		}
	}
	ones := strings.Fields(`ein zwei drei vier fünf sechs sieben acht neun`)
	tens := strings.Fields(`zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig`)
	for i, one := range ones {
		for j, ten := range tens {
			x.numbers[one+"und"+ten] = strconv.Itoa(10*(j+2) + i + 1)
		}
		x.numbers[one+"hundert"] = strconv.Itoa(100 * (i + 1))
		x.numbers[one+"tausend"] = strconv.Itoa(1000 * (i + 1))
	}
	for _, names := range []string{
		"january february march april may june july august september october november december",
		"januar februar märz april mai juni juli august september oktober november dezember",
		"jan feb mar apr may jun jul aug sep oct nov dec",
	} {
		for i, n := range strings.Fields(names) {
			x.months[n] = "month" + strconv.Itoa(i+1)
		}
	}
	return x
}

// date reads a date in figures, 2016-05-19 or 19.05.2016, as the words that it is
// written with elsewhere.
func date(s string) ([]token, int) {
	digits := func(from, n int) (string, bool) {
		if len(s) < from+n {
			return "", false
		}
		for _, c := range []byte(s[from : from+n]) {
			if c < '0' || c > '9' {
				return "", false
			}
		}
		return s[from : from+n], true
	}
	try := func(year, month, day int, separator byte) []token {
		y, ok := digits(year, 4)
		m, okMonth := digits(month, 2)
		d, okDay := digits(day, 2)
		first, second := min(max(year, month), max(month, day)), max(year, day)
		if !ok || !okMonth || !okDay || s[first-1] != separator || s[second-1] != separator || m > "12" || m == "00" || d > "31" || d == "00" ||
			len(s) > 10 && '0' <= s[10] && s[10] <= '9' {
			return nil
		}
		m, d = strings.TrimPrefix(m, "0"), strings.TrimPrefix(d, "0")
		return []token{{kind: number, raw: y, fold: y}, {kind: word, raw: s[month : month+2], fold: "month" + m}, {kind: number, raw: d, fold: d}}
	}
	if out := try(0, 5, 8, '-'); out != nil {
		return out, 10
	}
	return try(6, 3, 0, '.'), 10
}

// isMonth reports whether a token is the month of a date.
func isMonth(t token) bool {
	return t.kind == word && strings.HasPrefix(t.fold, "month") && len(t.fold) > 5 && t.fold[5] <= '9'
}

// nameMonths gives the names of months one form where a number is beside them.
func (x *lexis) nameMonths(tokens []token) {
	for i := range tokens {
		m := x.months[tokens[i].fold]
		if m == "" || !tokens[i].upper {
			continue
		}
		if i > 0 && tokens[i-1].kind == number || i+1 < len(tokens) && tokens[i+1].kind == number {
			tokens[i].fold, tokens[i].upper = m, false
		}
	}
}

func stem(w string) string {
	for _, s := range []string{"ings", "ing", "edly", "ed", "es", "en", "er", "s", "e", "ly"} {
		if len(w)-len(s) >= 4 && strings.HasSuffix(w, s) {
			return strings.TrimSuffix(w, s)
		}
	}
	return w
}
