package verify

import "testing"

func TestOpposites(t *testing.T) {
	for _, k := range []struct {
		source, text string
		ok           bool
	}{
		{"The rent rose by 5 percent in Holm.", "The rent increased by 5 percent in Holm.", true},
		{"The rent rose by 5 percent in Holm.", "The rent fell by 5 percent in Holm.", false},
		{"Skagen is the northern end of Denmark.", "Skagen is the southern end of Denmark.", false},
		{"It is the largest lake of the country.", "It is the smallest lake of the country.", false},
		{"The council accepted the plan for the harbour.", "The council rejected the plan for the harbour.", false},
		{"The council accepted the plan for the harbour.", "The plan for the harbour was accepted by the council.", true},
		{"The harbour was opened in 1911 and closed in 1960.", "The harbour was closed in 1960.", true},
		{"The old bridge is safe for lorries.", "The old bridge is unsafe for lorries.", false},
		{"It is impossible to cross the pass in winter.", "It is possible to cross the pass in winter.", false},
		{"It is impossible to cross the pass in winter.", "It is not possible to cross the pass in winter.", true},
		{"The ferry ran until 1960.", "The ferry ran before 1960.", false},
		{"Die Fähre fuhr bis 1960.", "Die Fähre fuhr vor 1960.", false},
		{"Die Miete in Holm stieg um 5 Prozent.", "Die Miete in Holm fiel um 5 Prozent.", false},
		{"Der Pegel liegt oberhalb der Brücke.", "Der Pegel liegt unterhalb der Brücke.", false},
		{"Das Baden im Hafen ist erlaubt.", "Das Baden im Hafen ist verboten.", false},
		{"Die Brücke ist sicher für Lastwagen.", "Die Brücke ist unsicher für Lastwagen.", false},
	} {
		c := checker(t, "auto", k.source)
		if v := c.Check(Statement{Text: k.text, Sentences: []int{0}}); v.OK() != k.ok {
			t.Errorf("%q of %q: %v", k.text, k.source, v.Reasons)
		}
	}
}
