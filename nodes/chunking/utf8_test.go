package chunking

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func checkUTF8Agrees(t *testing.T, text string) {
	t.Helper()
	err := CheckUTF8(text)
	if (err == nil) != utf8.ValidString(text) {
		t.Fatalf("CheckUTF8(%q) = %v, the standard library says valid is %v", text, err, utf8.ValidString(text))
	}
	if err == nil {
		if got, want := countChars(text), utf8.RuneCountInString(text); got != want {
			t.Fatalf("countChars(%q) = %d, want %d", text, got, want)
		}
		return
	}
	var bad *InvalidUTF8Error
	if !errors.As(err, &bad) {
		t.Fatalf("CheckUTF8(%q) = %v", text, err)
	}
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			if bad.Offset != i || bad.Byte != text[i] {
				t.Fatalf("CheckUTF8(%q) = %v, the first bad byte is at %d", text, err, i)
			}
			return
		}
	}
}

func TestCheckUTF8(t *testing.T) {
	// Every code point, and every sequence of two and three bytes in the places
	// where the word-wise paths could take a wrong turn.
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) {
			if s := "日" + string(r) + "a語a"; CheckUTF8(s) != nil || countChars(s) != 5 {
				t.Fatalf("%U refused or miscounted", r)
			}
		}
	}
	for lead := 0x80; lead < 0x100; lead++ {
		for next := 0; next < 0x100; next += 3 {
			for _, third := range []byte{'a', 0x7f, 0x80, 0xbf, 0xc0, 0xff} {
				checkUTF8Agrees(t, "日本"+string([]byte{byte(lead), byte(next), third})+"x")
				checkUTF8Agrees(t, string([]byte{byte(lead), byte(next), third}))
			}
		}
	}
	parts := []string{"a", "ascii!!!", "é", "日本語", "😀", "\xff", "\xe6\x97", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80"}
	rng := rand.New(rand.NewPCG(9, 9))
	for range 20000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(parts[rng.IntN(len(parts)-rng.IntN(2)*5)])
		}
		checkUTF8Agrees(t, b.String())
	}
}
