package sentence

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// withLibrary is Unicode with the library asked for every decision.
func withLibrary(text string) []chunking.Span {
	s := splitter{text: text, library: true}
	s.split()
	return s.spans
}

// checkUnicode reports what breaks a promise of Unicode, or "".
func checkUnicode(text string) string {
	spans := Unicode(text)
	last := 0
	for _, s := range spans {
		switch body := s.Slice(text); {
		case s.Start < last || s.Stop <= s.Start || s.Stop > len(text):
			return "spans out of order"
		case strings.TrimSpace(text[last:s.Start]) != "":
			return "text lost before a span"
		case strings.TrimSpace(body) == "":
			return "a span of white space"
		}
		last = s.Stop
	}
	if strings.TrimSpace(text[last:]) != "" {
		return "text lost at the end"
	}
	if strings.Join(chunking.Slices(text, Cover(text, spans)), "") != text && len(spans) > 0 {
		return "the pieces of Cover are not the text"
	}
	if !slices.Equal(spans, Unicode(text)) {
		return "a second call gives another result"
	}
	if !slices.Equal(spans, withLibrary(text)) {
		return "the fast path and the library disagree"
	}
	if !utf8.ValidString(text) {
		return ""
	}
	edges := map[int]bool{0: true}
	for rest, state, at := text, -1, 0; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(cluster)
		edges[at] = true
	}
	for _, s := range spans {
		if !edges[s.Start] || !edges[s.Stop] {
			return "a grapheme cluster is cut"
		}
		if ink := len(strings.TrimRightFunc(s.Slice(text), unicode.IsSpace)); edges[s.Start+ink] && s.Start+ink != s.Stop {
			return "white space at the end of a span"
		}
	}
	return ""
}

func FuzzUnicode(f *testing.F) {
	for _, text := range []string{
		"", " \t\n\u00a0", "One. Two! Three?", "Dr. A. B. Smith (e.g. 3.14) “said.” so.\r\n\r\nNext…",
		"日本。語．次「行け！」と。", "a.\u0301 \u0301b. \u2028c", "x. \u0600 A", "؀. ؀A\u0600 \n\nB", "‼\u200d❤ x. 👍🏽👨‍👩‍👧.\ufe0f Y",
		"॥ १ ॥ अंत। ็.", "1. a\n2. b\n- c\n# d\ne\n| f |\n```go\ng", "« Va ! » dit. »Nein!« . . . X", "\xff. A\xc0! B", "e.g.\ufeff X. (.(.) ", "🇩🇪.🇫🇷🇩🇪! A", "[1].[2] B.[3", "a\u0085\u0085b\u2029c",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if fault := checkUnicode(text); fault != "" {
			t.Fatalf("%q: %s: %q", text, fault, chunking.Slices(text, Unicode(text)))
		}
	})
}

// TestUnicodeRandom puts together what the rules look at, far more densely than
// prose or a fuzzer's bytes do.
func TestUnicodeRandom(t *testing.T) {
	parts := strings.Split(". ! ? … 。 ！ ？ ． । ॥ ؟ ۔ , ; : - – — \" ' ( ) [ ] { } “ ” „ « » 「 」 * _ ` ~ # | > a b A B I Dr Mr e.g z.B No Fig p.m U.S Inc etc J R The the He 1 2 12 2024 3.14 Juli XIV am der 我 好 か と 한 국 ह ि م د ก ๒ г т е И "+
		"\u0301 \u200d \u200f \ufeff \u0600 \u00ad 😀 👍🏽 🇩🇪 ❤\ufe0f ‼ ¹ [1] [^2] https://x.org a@b.de é É ß ſ ǅ ª", " ")
	parts = append(parts, " ", " ", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\u2029", "\u0085", "\v", "\f", "\n\n", ". ", "! ", "? ")
	rng := rand.New(rand.NewPCG(3, 5))
	var b strings.Builder
	for range 60_000 {
		b.Reset()
		for range 1 + rng.IntN(14) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		if fault := checkUnicode(b.String()); fault != "" {
			t.Fatalf("%q: %s: %q", b.String(), fault, chunking.Slices(b.String(), Unicode(b.String())))
		}
	}
}

// TestBreaksPlainly compares the rules for ASCII and common letters with the
// library over random tails of up to six characters.
func TestBreaksPlainly(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	letters := []rune("“”‘’„«»「」『』（）《》éÉßªºǅƻЖжѿαΩͺ我あア한אعہअक×÷\u0301\u0600")
	terminators := []rune(".!?。．।؟")
	sure, ascii := 0, 0
	for range 300_000 {
		tail := make([]rune, 1+rng.IntN(6))
		plain := true
		for i := range tail {
			tail[i] = rune(33 + rng.IntN(94))
			switch n := rng.IntN(12); {
			case i > 0 && n < 3:
				tail[i] = rune(" \n\r\t\v\f\x00\x7f"[rng.IntN(8)])
			case n == 11:
				tail[i] = letters[rng.IntN(len(letters))]
				plain = false
			}
		}
		terminator, spaced := terminators[rng.IntN(len(terminators))], rng.IntN(4) > 0
		got, ok := breaksPlainly(terminator, spaced, string(tail))
		if want := breaksLibrary(terminator, spaced, string(tail)); ok && got != want {
			t.Fatalf("breaksPlainly(%q, %v, %q) = %v, the library says %v", terminator, spaced, string(tail), got, want)
		}
		if plain && spaced {
			ascii++
			if ok {
				sure++
			}
		}
	}
	if sure != ascii {
		t.Errorf("only %d of %d ASCII tails were decided", sure, ascii)
	}
}

// TestMarkTable checks that the splitter stops at every terminator and line
// separator of Unicode.
func TestMarkTable(t *testing.T) {
	marks := markTable()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.Is(unicode.Sentence_Terminal, r) || r == '…'
		if got := isTerminal(r); got != want {
			t.Errorf("isTerminal(%U) = %v", r, got)
		}
		if first := string(r)[0]; (want || isLineSeparator(r)) && !marks[first] {
			t.Errorf("byte %#x of %U is not marked", first, r)
		}
	}
}

func TestKindOf(t *testing.T) {
	for word, want := range map[string]kind{
		"Dr": always, "dr": unlisted, "z.B": always, "No": beforeFigure, "Inc": beforeName, "p.m": ofTime, "т.д": final, "": unlisted,
	} {
		if got := kindOf(word); got != want {
			t.Errorf("kindOf(%q) = %v, want %v", word, got, want)
		}
	}
	if !reflect.DeepEqual([]bool{opens("The", false), opens("He", false), opens("He", true), opens("Smith", true)}, []bool{true, false, true, false}) {
		t.Error("opens does not tell first words from names")
	}
}

// hostile texts make careless splitters read the same place again and again.
func hostile(size int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	return map[string]string{
		"one-line":     fill("abcdefg hijkl "),
		"blanks":       "a. " + fill(" ") + "b",
		"blank-lines":  "a" + fill(" \n") + "b",
		"dots":         "a" + fill(".") + "b",
		"spaced-dots":  "a" + fill(" .") + " b",
		"no-stop":      fill("abcdefgh"),
		"closers":      "a." + fill(")") + " b",
		"quotes":       "a." + fill("“") + " b",
		"dot-open":     fill(".("),
		"bang-bracket": fill("!)"),
		"initials":     fill("A. "),
		"figures":      fill("1. "),
		"long-figures": "a. " + fill("7") + " b",
		"marks":        "a. " + fill("\u0301") + "b",
		"nbsp":         "a. " + fill("\u00a0") + "b",
		"space-mark":   "a." + fill(" \u0301") + "b",
		"joiners":      "a.😀" + fill("\u200d😀") + " b",
		"dandas":       fill("।१"),
		"cjk":          fill("天地玄黄"),
		"ellipses":     fill("…"),
		"format":       "a." + fill("\u200f") + " b",
		"bytes":        fill("\xff."),
	}
}

func TestHostileCovered(t *testing.T) {
	for name, text := range hostile(3000) {
		if fault := checkUnicode(text); fault != "" {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func BenchmarkUnicodeHostile(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1MB", 1_000_000}, {"8MB", 8_000_000}} {
		for name, text := range hostile(size.bytes) {
			b.Run(name+"/"+size.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					Unicode(text)
				}
			})
		}
	}
}

func BenchmarkUnicode(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"english", strings.Repeat("The keeper, Mr. Hale, lit the lantern before the storm came in (it was 3.5 m high). Nobody asked why! “Strange,” she said. It rained until morning, i.e. for nine hours.\n", 8000)},
		{"english-ascii", strings.Repeat("The keeper lit the lantern before the storm came in. Nobody asked why! ", 20000)},
		{"german", strings.Repeat("Am 29. Juli öffnete Dr. Weiß die Tür. Niemand wusste, warum er z.B. den Schlüssel behielt. ", 12000)},
		{"russian", strings.Repeat("Смотритель зажёг фонарь до начала бури. Никто не спросил, почему он ждал! ", 10000)},
		{"chinese", strings.Repeat("守夜人在风暴来临之前点亮了灯。没有人问为什么！“奇怪。”她说。", 12000)},
		{"hindi", strings.Repeat("रखवाले ने तूफान आने से पहले दीपक जलाया। किसी ने नहीं पूछा कि क्यों? ", 6000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				Unicode(c.text)
			}
		})
	}
}
