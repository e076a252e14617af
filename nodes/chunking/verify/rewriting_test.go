package verify

import "testing"

// TestRewriting holds sentences about public facts, each with honest and dishonest
// rewritings of its last sentence; what stands before is context.
func TestRewriting(t *testing.T) {
	for _, k := range []struct {
		language, context, source string
		honest, wrong             []string
	}{
		{"en", "The Eiffel Tower stands in Paris.", "It was completed in 1889 and is 330 metres tall.",
			[]string{"The Eiffel Tower was completed in 1889.", "The Eiffel Tower is 330 metres tall."},
			[]string{"The Eiffel Tower was completed in 1898.", "The Eiffel Tower is 330 kilometres tall.", "The Eiffel Tower was never completed."}},
		{"en", "", "The Danube flows through more than 10 countries and ends in the Black Sea.",
			[]string{"The Danube flows through over 10 countries.", "According to the text, the Danube ends in the Black Sea."},
			[]string{"The Danube flows through fewer than 10 countries.", "The Danube does not end in the Black Sea.", "The Danube flows through under 10 countries."}},
		{"en", "", "Marie Curie discovered polonium before she received the Nobel Prize in 1903.",
			[]string{"Polonium was discovered by Marie Curie.", "Marie Curie discovered polonium before Marie Curie received the Nobel Prize in 1903."},
			[]string{"Marie Curie discovered polonium after the Nobel Prize in 1903.", "Marie Curie received the Nobel Prize in 1904."}},
		{"en", "", "The population of Iceland rose by 5 percent between 2015 and 2018.",
			[]string{"The population of Iceland increased by 5 percent between 2015 and 2018.", "The population of Iceland grew by 5 percent between 2015 and 2018."},
			[]string{"The population of Iceland fell by 5 percent between 2015 and 2018.", "The population of Iceland decreased by 5 percent between 2015 and 2018."}},
		{"en", "", "All penguins live in the southern half of the world, except one species.",
			[]string{"Every penguin lives in the southern half of the world, except one species."},
			[]string{"Some penguins live in the southern half of the world.", "All penguins live in the northern half of the world.", "No penguins live in the southern half of the world."}},
		{"en", "", "Lake Baikal is the deepest lake and holds at least 20 percent of the fresh water.",
			[]string{"Lake Baikal is the deepest lake.", "Lake Baikal holds at least 20 percent of the fresh water."},
			[]string{"Lake Baikal holds at most 20 percent of the fresh water.", "Lake Baikal holds less than 20 percent of the fresh water."}},
		{"en", "", "Jupiter is larger than Saturn and has the strongest magnetic field of all planets.",
			[]string{"Jupiter is bigger than Saturn.", "Jupiter has the strongest magnetic field of all planets."},
			[]string{"Jupiter is smaller than Saturn.", "Jupiter has the weakest magnetic field of all planets."}},
		{"en", "", "Switzerland accepted women's suffrage in 1971 and joined the United Nations later.",
			[]string{"Women's suffrage was accepted by Switzerland in 1971.", "Switzerland joined the United Nations later."},
			[]string{"Switzerland rejected women's suffrage in 1971.", "Switzerland joined the United Nations earlier."}},
		{"en", "", "The Suez Canal opened in 1869 north of Suez, and most ships pay a toll.",
			[]string{"The Suez Canal was opened in 1869.", "Most ships pay a toll."},
			[]string{"The Suez Canal closed in 1869.", "All ships pay a toll.", "Few ships pay a toll.", "The Suez Canal opened in 1869 south of Suez."}},
		{"en", "", "Smoking is forbidden inside restaurants in Ireland, and it is impossible to opt out.",
			[]string{"Smoking is prohibited inside restaurants in Ireland.", "It is not possible to opt out."},
			[]string{"Smoking is allowed inside restaurants in Ireland.", "Smoking is forbidden outside restaurants in Ireland.", "Smoking is not forbidden inside restaurants in Ireland."}},
		{"en", "", "Alexander Fleming said that bacteria in many dishes were never killed.",
			[]string{"Alexander Fleming mentions that bacteria in many dishes were never killed.", "According to Alexander Fleming, bacteria in many dishes were never killed."},
			[]string{"Alexander Fleming said that bacteria in many dishes were killed.", "Alexander Fleming said that bacteria in all dishes were never killed.", "Alexander Fleming said that bacteria in few dishes were never killed."}},
		{"en", "", "Norway won most medals in 2018 and exports more oil than Denmark.",
			[]string{"Most medals in 2018 were won by Norway.", "Norway exported more oil than Denmark."},
			[]string{"Norway lost most medals in 2018.", "Norway exports less oil than Denmark.", "Norway imports more oil than Denmark."}},
		{"en", "", "The drinking water of Vienna is safe and comes from higher ground.",
			[]string{"The drinking water of Vienna is safe.", "The drinking water of Vienna comes from higher ground.", "Vienna's drinking water comes from higher ground."},
			[]string{"The drinking water of Vienna is unsafe.", "The drinking water of Vienna comes from lower ground.", "The drinking water of Vienna is not safe."}},
		{"en", "Neil Armstrong trained in Houston.", "He walked on the Moon in July 1969.",
			[]string{"Neil Armstrong walked on the Moon in July 1969.", "In July 1969, Neil Armstrong walked on the Moon."},
			[]string{"Neil Armstrong walked on the Moon in June 1969.", "Neil Armstrong never walked on the Moon."}},
		{"en", "", "Only mammals have hair, and some bats eat fruit.",
			[]string{"Only mammals have hair.", "Several bats eat fruit."},
			[]string{"All mammals have hair.", "All bats eat fruit.", "No bats eat fruit."}},
		{"de", "", "Die Zugspitze ist höher als der Watzmann und der höchste Berg in Deutschland.",
			[]string{"Die Zugspitze ist der höchste Berg in Deutschland.", "Die Zugspitze ist höher als der Watzmann."},
			[]string{"Die Zugspitze ist der niedrigste Berg in Deutschland.", "Die Zugspitze ist niedriger als der Watzmann."}},
		{"de", "", "Die Bevölkerung von Berlin nahm nach 1990 um 3 Prozent zu.",
			[]string{"Die Bevölkerung von Berlin nahm nach 1990 zu.", "Die Bevölkerung von Berlin stieg nach 1990 um 3 Prozent."},
			[]string{"Die Bevölkerung von Berlin nahm nach 1990 ab.", "Die Bevölkerung von Berlin sank nach 1990 um 3 Prozent.", "Die Bevölkerung von Berlin nahm vor 1990 um 3 Prozent zu."}},
		{"de", "", "Der Preis für Brot stieg 1923 und fiel 1924 nicht.",
			[]string{"Der Preis für Brot stieg 1923.", "Der Preis für Brot fiel 1924 nicht."},
			[]string{"Der Preis für Brot stieg 1923 nicht.", "Der Preis für Brot stieg 1925."}},
		{"de", "", "Die meisten Bienen sterben im Winter, und alle Drohnen verlassen den Stock.",
			[]string{"Die meisten Bienen sterben im Winter.", "Alle Drohnen verlassen den Stock.", "Sämtliche Drohnen verlassen den Stock."},
			[]string{"Alle Bienen sterben im Winter nie.", "Einige Drohnen verlassen den Stock.", "Keine Drohnen verlassen den Stock."}},
		{"de", "", "Der Kölner Dom hat mindestens 500 Stufen und wurde 1880 vollendet.",
			[]string{"Der Kölner Dom wurde 1880 vollendet.", "Der Kölner Dom hat mindestens 500 Stufen.", "1880 wurde der Kölner Dom vollendet.", "Vollendet wurde der Kölner Dom 1880."},
			[]string{"Der Kölner Dom hat höchstens 500 Stufen.", "Der Kölner Dom hat weniger als 500 Stufen.", "Der Kölner Dom wurde 1881 vollendet."}},
		{"de", "", "Das Museum in Bonn öffnet früher als das Archiv, und viele Besucher kommen aus Köln.",
			[]string{"Viele Besucher kommen aus Köln.", "Das Museum in Bonn öffnet früher als das Archiv."},
			[]string{"Das Museum in Bonn öffnet später als das Archiv.", "Wenige Besucher kommen aus Köln.", "Das Museum in Bonn schließt früher als das Archiv."}},
		{"de", "", "Das Rauchen ist in der Halle verboten, und der Weg dorthin ist sicher.",
			[]string{"In der Halle ist das Rauchen verboten.", "Der Weg dorthin ist sicher."},
			[]string{"Das Rauchen ist in der Halle erlaubt.", "Der Weg dorthin ist unsicher."}},
		{"de", "Ada Lovelace lebte in London.", "Sie gewann 1843 mehr als 100 Leser.",
			[]string{"Ada Lovelace gewann 1843 mehr als 100 Leser.", "Ada Lovelace gewann 1843 über 100 Leser.", "Laut dem Text gewann Ada Lovelace 1843 mehr als 100 Leser."},
			[]string{"Ada Lovelace verlor 1843 mehr als 100 Leser.", "Ada Lovelace gewann 1843 weniger als 100 Leser.", "Ada Lovelace gewann 1843 unter 100 Leser."}},
	} {
		text, on := k.source, 0
		if k.context != "" {
			text, on = k.context+" "+text, 1
		}
		c := checker(t, k.language, text)
		for _, s := range k.honest {
			if v := c.Check(Statement{Text: s, Sentences: []int{on}}); !v.OK() {
				t.Errorf("honest %q: %v", s, v.Reasons)
			}
		}
		for _, s := range k.wrong {
			if v := c.Check(Statement{Text: s, Sentences: []int{on}}); v.OK() {
				t.Errorf("wrong %q of %q is accepted", s, k.source)
			}
		}
	}
}
