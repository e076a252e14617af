package extractive

import (
	"reflect"
	"testing"
)

func TestSplit(t *testing.T) {
	both := New([]string{"en", "de"})
	for _, c := range []struct{ sentence, first, second string }{
		{"The barrage at Kvalsund is old, and the turbines were replaced in 2011.", "The barrage at Kvalsund is old.", "The turbines were replaced in 2011."},
		{"Rain is frequent in Holm; the reservoir was enlarged twice.", "", ""},
		{"Kvalsund harbour is deep; the quay was enlarged twice in 1987.", "Kvalsund harbour is deep.", "The quay was enlarged twice in 1987."},
		{"Die Mühle in Ask ist alt, und das Wehr wurde 1921 gebaut.", "Die Mühle in Ask ist alt.", "Das Wehr wurde 1921 gebaut."},
		// Whole, since something could be lost or said wrongly.
		{"The mill is old, and its wheel was replaced.", "", ""},
		{"If the mill is closed, the gate is shut, and the lamp is out.", "", ""},
		{"The mill was sold, but not the land.", "", ""},
		{"The mill has a wheel, and the weir.", "", ""},
		{"The owner said the mill is old, and the wheel was new.", "", ""},
		{"Bread, milk, and the cheese are sold here.", "", ""},
		{"The trial had 214 patients, and 19 were lost.", "", ""},
		{"The mill was not closed, and the wheel was kept.", "", ""},
		{"The tower is high (12 m), and the wall was torn down.", "", ""},
		{"The mill is old, and the wheel is new, and the dam is wide.", "", ""},
		{"Is the mill old, and the wheel was new?", "", ""},
		{"The kiln is hot.", "", ""},
	} {
		want := []string{c.sentence}
		if c.first != "" {
			want = []string{c.first, c.second}
		}
		if got := both.Split(c.sentence); !reflect.DeepEqual(got, want) {
			t.Errorf("%q\n got %q\nwant %q", c.sentence, got, want)
		}
	}
	if got := New(nil).Split("The mill at Ask is old, and the wheel was replaced."); len(got) != 1 {
		t.Errorf("without a language: %q", got)
	}
}
