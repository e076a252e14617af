package terms

import (
	"slices"
	"strings"
	"testing"
)

// written returns the terms of a sentence as text.
func written(sentence string) []string {
	x := NewIndex()
	out := []string{}
	for _, n := range x.Add(sentence) {
		for term, number := range x.terms {
			if number == n {
				out = append(out, term)
			}
		}
	}
	return out
}

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		sentence string
		want     string
	}{
		{"The bakers were baking; the baker bakes bread!", "baker bake baker bake bread"},
		{"Connected connections, connecting CONNECTS.", "connect connect connect connect"},
		{"Don't say it's they've we'll o'clock", "o clock"},
		{"In 1998 the 3rd Saturn V flew 2,000 km", "1998 3rd saturn v flew 2 000 km"},
		{"Die Häuser waren größer.", "die häuser waren größer"},
		{"Москва слышит МОСКВА", "москва слышит москва"},
		{"हिन्दी भाषा", "हिन्दी भाषा"},
		{"東京の天気。雨", "東京 京の の天 天気 雨"},
		{"AI模型GPT好", "ai 模型 gpt 好"},
		{"데이터 센터", "데이 이터 센터"},
		{"ภาษาไทย", "ภา าษ ษา าไ ไท ทย"},
		{"— … !?", ""},
		{"", ""},
		{strings.Repeat("running", 9), strings.Repeat("running", 9)},
	} {
		if got := strings.Join(written(c.sentence), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.sentence, got, c.want)
		}
	}
}

func TestTermNumbers(t *testing.T) {
	x := NewIndex()
	a, b := x.Add("Stars shine."), x.Add("A star shines, and STARS shone.")
	if !slices.Equal(a, []int32{0, 1}) || !slices.Equal(b, []int32{0, 1, 0, 2}) || x.Len() != 3 {
		t.Errorf("%v %v, %d terms", a, b, x.Len())
	}
}

func TestFind(t *testing.T) {
	x := NewIndex()
	x.Add("The stars of 東京 shine.")
	for text, want := range map[string][]int32{
		"Star, starring, moon and the STARS": {0, 0, 0},
		"shining 東京の":                        {2, 1},
		"the of":                             nil,
		"moon 京都":                            nil,
		"":                                   nil,
	} {
		if got := x.Find(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if x.Len() != 3 || len(x.words) != 4 {
		t.Errorf("%d terms and %d words after finding", x.Len(), len(x.words))
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("The bakers' bread; 東京の天気 ภาษาไทย \xff é")
	f.Fuzz(func(t *testing.T, text string) {
		x := NewIndex()
		if found := x.Find(text); found != nil {
			t.Errorf("%q: %v found in nothing", text, found)
		}
		first := x.Add(text)
		if found := x.Find(text); !slices.Equal(first, found) {
			t.Errorf("%q: %v added, %v found", text, first, found)
		}
		if again := x.Add(text); !slices.Equal(first, again) {
			t.Errorf("%q: %v, then %v", text, first, again)
		}
		if upper := x.Add(strings.ToLower(text)); len(upper) != len(first) {
			t.Errorf("%q: %d terms, %d in lower case", text, len(first), len(upper))
		}
		if len(first) > len(text) {
			t.Errorf("%q: %d terms", text, len(first))
		}
	})
}
