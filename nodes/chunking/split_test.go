package chunking

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// splitPlainly is the reference for Split, on strings.
func splitPlainly(text string, o SplitOptions) []string {
	pieces := strings.SplitAfterN(text, "", -1)[:0]
	from := 0
	for i, r := range text {
		if strings.ContainsRune(o.Delimiters, r) {
			pieces = append(pieces, text[from:i+utf8.RuneLen(r)])
			from = i + utf8.RuneLen(r)
		}
	}
	if from < len(text) {
		pieces = append(pieces, text[from:])
	}
	var out []string
	for _, p := range pieces {
		last := len(out) - 1
		if last >= 0 && (utf8.RuneCountInString(out[last]) < o.MinChars || utf8.RuneCountInString(p) < o.MinChars) {
			out[last] += p
			continue
		}
		out = append(out, p)
	}
	return out
}

func checkSplit(t *testing.T, text string, o SplitOptions) {
	t.Helper()
	spans, err := Split(text, o)
	if !utf8.ValidString(text) {
		var bad *InvalidUTF8Error
		if !errors.As(err, &bad) {
			t.Fatalf("Split of invalid UTF-8 %q: error %v", text, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	chunks := Slices(text, spans)
	if strings.Join(chunks, "") != text {
		t.Fatalf("Split(%q, %+v) loses text: %q", text, o, chunks)
	}
	at := 0
	for i, s := range spans {
		if s.Start != at || s.Stop <= s.Start || !utf8.ValidString(chunks[i]) {
			t.Fatalf("Split(%q, %+v): span %d is %v after %d", text, o, i, s, at)
		}
		at = s.Stop
		if len(spans) > 1 && utf8.RuneCountInString(chunks[i]) < o.MinChars {
			t.Fatalf("Split(%q, %+v): chunk %q is shorter than min_chars", text, o, chunks[i])
		}
		if last, _ := utf8.DecodeLastRuneInString(chunks[i]); i < len(spans)-1 && !strings.ContainsRune(o.Delimiters, last) {
			t.Fatalf("Split(%q, %+v): chunk %q does not end with a delimiter", text, o, chunks[i])
		}
	}
	if want := splitPlainly(text, o); !slices.Equal(chunks, want) {
		t.Fatalf("Split(%q, %+v) = %q, want %q", text, o, chunks, want)
	}
}

func TestSplitProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("aab .?\n。日é😀\u00a0")
	for range 3000 {
		text := make([]rune, rng.IntN(40))
		for i := range text {
			text[i] = alphabet[rng.IntN(len(alphabet))]
		}
		delimiters := []string{"", ".", "\n.?", "\n。", "é😀"}[rng.IntN(5)]
		checkSplit(t, string(text), SplitOptions{Delimiters: delimiters, MinChars: rng.IntN(9)})
	}
	mixed := string(readTestdata(t, "corpora", "mixed.txt"))
	for least := range 200 {
		checkSplit(t, mixed, SplitOptions{Delimiters: "\n.?。।", MinChars: least})
	}
}

func TestSplitRefusesOptions(t *testing.T) {
	for param, o := range map[string]SplitOptions{"min_chars": {MinChars: -1}, "delimiters": {Delimiters: "\xc3"}} {
		_, err := Split("text", o)
		var option *OptionError
		if !errors.As(err, &option) || option.Param != param {
			t.Errorf("Split with %+v: error %v, want one about %s", o, err, param)
		}
	}
}

func TestSplitAllocatesOnlySpans(t *testing.T) {
	text := strings.Repeat("Some words go here. ", 5000)
	allocated := testing.AllocsPerRun(5, func() {
		if _, err := Split(text, SplitOptions{Delimiters: "\n.?", MinChars: 3}); err != nil {
			t.Fatal(err)
		}
	})
	if allocated > 4 {
		t.Errorf("%v allocations for 5000 chunks", allocated)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("A. Bee? Cee\nDee", "\n.?", 5)
	f.Add("日本。語。", "。", 0)
	f.Add("\xff", ".", 1)
	f.Fuzz(func(t *testing.T, text, delimiters string, least int) {
		o := SplitOptions{Delimiters: delimiters, MinChars: least}
		if least < 0 || !utf8.ValidString(delimiters) {
			var option *OptionError
			if _, err := Split(text, o); !errors.As(err, &option) {
				t.Fatalf("Split with %+v: error %v", o, err)
			}
			return
		}
		checkSplit(t, text, o)
	})
}
