package chunking

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// fixedPlainly follows the rule word by word, character by character, with no
// thought for speed. It is the reference for Fixed.
func fixedPlainly(text string, o FixedOptions) []Span {
	var out []Span
	for p := 0; p < len(text); {
		if len(text)-p <= o.Size {
			return append(out, Span{Start: p, Stop: len(text)})
		}
		limit, at, width := p, -1, 0
		for i, r := range text[p:] {
			w := utf8.RuneLen(r)
			if i > 0 && i+w > o.Size {
				break
			}
			limit = p + i + w
			if strings.ContainsRune(o.Delimiters, r) {
				at, width = p+i, w
			}
		}
		stop := limit
		if at > p {
			stop = at
			if !o.Prefix {
				stop += width
			}
		}
		out = append(out, Span{Start: p, Stop: stop})
		if stop == len(text) {
			return out
		}
		next := stop
		if o.Overlap > 0 {
			_, one := utf8.DecodeRuneInString(text[p:])
			next = max(p+one, stop-o.Overlap)
			for !utf8.ValidString(text[next:]) {
				next++
			}
		}
		p = next
	}
	return out
}

// checkFixed holds every property a result of Fixed must have.
func checkFixed(t *testing.T, text string, o FixedOptions) {
	t.Helper()
	spans, err := Fixed(text, o)
	if !utf8.ValidString(text) {
		var bad *InvalidUTF8Error
		if !errors.As(err, &bad) || !utf8.ValidString(text[:bad.Offset]) || text[bad.Offset] != bad.Byte {
			t.Fatalf("Fixed of invalid UTF-8 %q: error %v", text, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("Fixed(%q, %+v): %v", text, o, err)
	}
	if (len(spans) == 0) != (text == "") {
		t.Fatalf("Fixed(%q) has %d chunks", text, len(spans))
	}
	for i, s := range spans {
		chunk := s.Slice(text)
		if chunk == "" || !utf8.ValidString(chunk) {
			t.Fatalf("Fixed(%q, %+v): chunk %d is %q", text, o, i, chunk)
		}
		if len(chunk) > o.Size && utf8.RuneCountInString(chunk) > 1 {
			t.Fatalf("Fixed(%q, %+v): chunk %d has %d bytes", text, o, i, len(chunk))
		}
		if i == 0 {
			continue
		}
		before := spans[i-1]
		_, one := utf8.DecodeRuneInString(text[before.Start:])
		next := max(before.Start+one, before.Stop-o.Overlap)
		for next < len(text) && !utf8.RuneStart(text[next]) {
			next++
		}
		if s.Start != next {
			t.Fatalf("Fixed(%q, %+v): chunk %d starts at %d, want %d", text, o, i, s.Start, next)
		}
	}
	if n := len(spans); n > 0 {
		if spans[0].Start != 0 || spans[n-1].Stop != len(text) {
			t.Fatalf("Fixed(%q, %+v) does not cover the text: %v", text, o, spans)
		}
		if n > 1 && spans[n-1].Stop <= spans[n-2].Stop {
			t.Fatalf("Fixed(%q, %+v): the last chunk lies inside the one before: %v", text, o, spans)
		}
	}
	if o.Overlap == 0 && strings.Join(Slices(text, spans), "") != text {
		t.Fatalf("Fixed(%q, %+v) loses text", text, o)
	}
	if want := fixedPlainly(text, o); !slices.Equal(spans, want) {
		t.Fatalf("Fixed(%q, %+v) = %v, want %v", text, o, spans, want)
	}
}

func TestFixedProperties(t *testing.T) {
	texts := []string{
		"", "a", "😀", "a😀😀b", "\n\n\n", "no delimiter here at all", "。日本。語。",
		"a.b.c.", "....", "x. yyyyyyyyyyyyyyyyyyyy. z", "\u00a0\u2003 \t", "e\u0301e\u0301", "\x00.\x00",
		string(readTestdata(t, "corpora", "mixed.txt"))[:160],
	}
	for _, text := range texts {
		text = strings.ToValidUTF8(text, "")
		for _, delimiters := range []string{"", ".", "\n。", "é😀 ", "\u00a0.日"} {
			for size := 1; size <= 12; size++ {
				for overlap := 0; overlap < size; overlap++ {
					checkFixed(t, text, FixedOptions{Size: size, Delimiters: delimiters, Overlap: overlap})
					checkFixed(t, text, FixedOptions{Size: size, Delimiters: delimiters, Prefix: true, Overlap: overlap})
				}
			}
		}
	}
}

func TestFixedOverlap(t *testing.T) {
	for _, c := range []struct {
		text string
		o    FixedOptions
		want []string
	}{
		{"chunk chunk", FixedOptions{Size: 5, Overlap: 4}, []string{"chunk", "hunk ", "unk c", "nk ch", "k chu", " chun", "chunk"}},
		{"abcdefghij", FixedOptions{Size: 4, Overlap: 2}, []string{"abcd", "cdef", "efgh", "ghij"}},
		{"abcdefghi", FixedOptions{Size: 4, Overlap: 2}, []string{"abcd", "cdef", "efgh", "ghi"}},
		{"日本語文", FixedOptions{Size: 6, Overlap: 4}, []string{"日本", "本語", "語文"}},
		{"日本語文", FixedOptions{Size: 3, Overlap: 2}, []string{"日", "本", "語", "文"}},
		{"aa bb cc dd", FixedOptions{Size: 7, Overlap: 3, Delimiters: " "}, []string{"aa bb ", "bb cc ", "cc dd"}},
	} {
		spans, err := Fixed(c.text, c.o)
		if got := Slices(c.text, spans); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Fixed(%q, %+v) = %q, %v; want %q", c.text, c.o, got, err, c.want)
		}
	}
}

// A window must not be searched again for every overlapping chunk: a million
// windows of a million bytes would take hours.
func TestFixedReadsOverlapsOnce(t *testing.T) {
	const size = 1_000_000
	text := strings.Repeat("a", 2*size)
	spans, err := Fixed(text, FixedOptions{Size: size, Overlap: size - 1, Delimiters: ".。"})
	if err != nil || len(spans) != size+1 {
		t.Errorf("%d chunks, %v", len(spans), err)
	}
	blank := strings.Repeat(" ", 2*size)
	spans, err = Fixed(blank, FixedOptions{Size: size, Overlap: size - 1})
	if err != nil || len(DropBlank(blank, spans)) != 0 {
		t.Errorf("blanks are kept, %v", err)
	}
}

func TestFixedRefusesOptions(t *testing.T) {
	for _, c := range []struct {
		o     FixedOptions
		param string
	}{
		{FixedOptions{}, "size"},
		{FixedOptions{Size: -1}, "size"},
		{FixedOptions{Size: 5, Overlap: 5}, "overlap"},
		{FixedOptions{Size: 5, Overlap: 6}, "overlap"},
		{FixedOptions{Size: 5, Overlap: -1}, "overlap"},
		{FixedOptions{Size: 5, Delimiters: "a\xff"}, "delimiters"},
	} {
		_, err := Fixed("some text", c.o)
		var option *OptionError
		if !errors.As(err, &option) || option.Param != c.param || !strings.Contains(err.Error(), c.param) {
			t.Errorf("Fixed with %+v: error %v, want one about %s", c.o, err, c.param)
		}
	}
	if spans, err := Fixed("abc", FixedOptions{Size: math.MaxInt, Overlap: math.MaxInt - 1}); err != nil || len(spans) != 1 {
		t.Errorf("the largest size: %v, %v", spans, err)
	}
}

func TestInvalidUTF8NamesTheByte(t *testing.T) {
	for text, offset := range map[string]int{"\xff": 0, "ab\xc3": 2, "日\xe6\x97": 3, "a\xed\xa0\x80": 1, "é\xc0\xaf": 2} {
		for name, err := range map[string]error{
			"Fixed": second(Fixed(text, FixedOptions{Size: 4})),
			"Split": second(Split(text, SplitOptions{Delimiters: "."})),
		} {
			var bad *InvalidUTF8Error
			if !errors.As(err, &bad) || bad.Offset != offset {
				t.Errorf("%s(%q): error %v, want one about byte offset %d", name, text, err, offset)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

func FuzzFixed(f *testing.F) {
	f.Add("alpha beta gamma", 5, " ", false, 2)
	f.Add("日本。語。", 4, "。\n", true, 3)
	f.Add("\xff\xfe", 4, "", true, 0)
	f.Fuzz(func(t *testing.T, text string, size int, delimiters string, prefix bool, overlap int) {
		o := FixedOptions{Size: size, Delimiters: delimiters, Prefix: prefix, Overlap: overlap}
		if size < 1 || overlap < 0 || overlap >= size || !utf8.ValidString(delimiters) {
			var option *OptionError
			if _, err := Fixed(text, o); !errors.As(err, &option) {
				t.Fatalf("Fixed with %+v: error %v", o, err)
			}
			return
		}
		checkFixed(t, text, o)
	})
}
