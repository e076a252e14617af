package verify

import "testing"

// TestNumerals: a number is the same in figures and in words.
func TestNumerals(t *testing.T) {
	for _, k := range []struct {
		source, text string
		ok           bool
	}{
		{"The bell rings twenty-one times a day.", "The bell rings 21 times a day.", true},
		{"The bell rings 21 times a day.", "The bell rings twenty-one times a day.", true},
		{"The bell rings 21 times a day.", "The bell rings twenty times a day.", false},
		{"The bell rings twenty-one times a day.", "The bell rings 20 times a day.", false},
		{"The hall seats 205 people.", "The hall seats two hundred and five people.", true},
		{"The hall seats a hundred people.", "The hall seats 100 people.", true},
		{"The hall seats two hundred people.", "The hall seats 200 people.", true},
		{"The hall seats two hundred people.", "The hall seats 300 people.", false},
		{"The flight was delayed by one hour.", "The flight was delayed by 1 hour.", true},
		{"The flight was delayed by 1 hour.", "The flight was delayed by one hour.", true},
		{"The flight was delayed by one hour.", "The flight was delayed by 2 hours.", false},
		{"The tunnel cost 4.2 million euros.", "The tunnel cost 4,200,000 euros.", true},
		{"The tunnel cost 4,200,000 euros.", "The tunnel cost 4.2 million euros.", true},
		{"The tunnel cost two million dollars.", "The tunnel cost 2 million dollars.", true},
		{"The tunnel cost 4.2 million euros.", "The tunnel cost 4.2 billion euros.", false},
		{"The tunnel cost 4.2 million euros.", "The tunnel cost 4.2 euros.", false},
		{"One of the towers fell in 1911.", "One of the towers fell in 1911.", true},
		{"Die Glocke läutet einundzwanzig Mal am Tag.", "Die Glocke läutet 21 Mal am Tag.", true},
		{"Die Glocke läutet einundzwanzig Mal am Tag.", "Die Glocke läutet 22 Mal am Tag.", false},
		{"Der Saal fasst zweihundert Menschen.", "Der Saal fasst 200 Menschen.", true},
		{"Der Tunnel kostete 4,2 Millionen Euro.", "Der Tunnel kostete 4.200.000 Euro.", true},
		{"Der Flug kam eine Stunde zu spät an.", "Der Flug kam 1 Stunde zu spät an.", true},
	} {
		c := checker(t, "auto", k.source)
		if v := c.Check(Statement{Text: k.text, Sentences: []int{0}}); v.OK() != k.ok {
			t.Errorf("%q of %q: %v", k.text, k.source, v.Reasons)
		}
	}
}
