package verify

import (
	"slices"
	"testing"
)

// TestLanguageOfShortTexts: words that both languages have decide nothing.
func TestLanguageOfShortTexts(t *testing.T) {
	for _, k := range []struct {
		text string
		want []string
	}{
		{"The dam was built in 1921.", []string{"en"}},
		{"It was so cold in Holm.", []string{"en"}},
		{"An engineer in Bergen built it.", []string{"en"}},
		{"Der Damm wurde 1921 in Holm gebaut.", []string{"de"}},
		{"Was in Bergen gebaut wurde, war die Brücke.", []string{"de"}},
		{"The dam was built by the town, and it held. Der Damm wurde von der Stadt gebaut, und er hielt.", []string{"en", "de"}},
		{"Дамбу построили в 1921 году.", []string{}},
	} {
		if got := checker(t, "auto", k.text).Languages(); !slices.Equal(got, k.want) {
			t.Errorf("%q: %v, want %v", k.text, got, k.want)
		}
	}
}
