package verify

import "testing"

// TestPlace: a number that stands where its sentence has another one is refused,
// however often it stands elsewhere there; one that only moved, or whose sentence
// lost a part, is not.
func TestPlace(t *testing.T) {
	for _, k := range []struct {
		source, text string
		ok           bool
	}{
		{"By 1986 the house, then with 8 bedrooms, 2 kitchens and 8 stoves, stood empty.", "By 1986 the house, then with 8 bedrooms, stood empty.", true},
		{"By 1986 the house, then with 8 bedrooms, 2 kitchens and 8 stoves, stood empty.", "By 1986 the house, then with 2 bedrooms, stood empty.", false},
		{"The dyke at Holm held in 1953 and in 1962 as the sea rose, so the town stayed dry.", "The dyke at Holm held in 1962 as the sea rose.", true},
		{"A bunker between the camp on Hill 111 and the village on Hill 121 was hit.", "A bunker between the camp on Hill 111 and the village was hit.", true},
		{"A bunker between the camp on Hill 111 and the village on Hill 121 was hit.", "A bunker between the camp on Hill 121 and the village was hit.", false},
		{"Between the 1880s and 1890s the port doubled.", "In the 1880s the port doubled.", true},
		{"The port grew in the 1880s and 1890s.", "The port grew in the 1890s.", true},
		{"In 1783, at 16, Berg built his first organ.", "In 1783 Berg built his first organ.", true},
		{"The bridge won the 2010 prize for steel and the 2011 prize for best lighting.", "The bridge won the 2011 prize for best lighting.", true},
		{"The film got six nominations in London, six nominations in Paris and two nominations in Rome.", "The film got two nominations in Rome.", true},
		{"The club has been in the league since the two unions merged in 1950 and in its western half since 1970.", "In its western half the club has been since 1950.", false},
		{"The dam was raised on 4 March 2016 and again on 9 May 2017.", "The dam was raised again on May 9, 2017.", true},
		{"The dam was raised on 4 March 2016 and again on 9 May 2017.", "The dam was raised again on 9 May 2016.", false},
		{"Der Turm ist 40 Meter hoch und am Fuß 12 Meter breit.", "Der Turm ist am Fuß 12 Meter breit.", true},
		{"Der Turm ist 40 Meter hoch und am Fuß 12 Meter breit.", "Der Turm ist am Fuß 40 Meter breit.", false},
	} {
		c := checker(t, "auto", k.source)
		if v := c.Check(Statement{Text: k.text, Sentences: []int{0}}); v.OK() != k.ok {
			t.Errorf("%q of %q: %v", k.text, k.source, v.Reasons)
		}
	}
}
