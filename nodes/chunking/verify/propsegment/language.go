package propsegment

import "strings"

// Language is what making a statement wrong has to know of a language. It is kept
// apart from the lists of the checker on purpose: a word that the checker does not
// know must be able to show here.
type Language struct {
	Name string
	// pronouns are third-person pronouns and demonstratives.
	pronouns map[string]bool
	// auxiliaries take a negation behind them; negations are what can be put there.
	auxiliaries map[string]bool
	negations   []string
	// contractions are auxiliaries with a negation in one word.
	contractions map[string]string
	// positive is what is left of a word that negates when the negation is taken
	// away.
	positive map[string]string
	// units are units of one dimension each; a number stands before them.
	units [][]string
	// between are words that may stand between a number and its unit.
	between map[string]bool
	// calendar words have capitals and are no names.
	calendar map[string]bool
	// places begin an adverbial at the end of a statement that can be moved to the
	// front.
	places map[string]bool
	// numbers are numbers as words.
	numbers map[string]bool
	// joins are words that put equals side by side.
	joins map[string]bool
	// names, where it is not nil, holds the words of names: in a language whose nouns
	// have capitals they cannot be told by these.
	names map[string]bool
	// opposite are pairs of words that compare; quantifiers are groups that mean the
	// same, of which the first word is put in.
	opposite, quantifiers [][]string
	// inverts says that the verb follows an adverbial at the front.
	inverts bool
}

func list(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

func pairs(s string) map[string]string {
	out := map[string]string{}
	for _, p := range strings.Fields(s) {
		from, to, _ := strings.Cut(p, "=")
		out[from] = to
	}
	return out
}

func groups(s ...string) [][]string {
	var out [][]string
	for _, g := range s {
		out = append(out, strings.Split(g, "|"))
	}
	return out
}

// English is the language of the corpus. "That" is not among its demonstratives:
// nearly every one in it begins a clause.
func English() Language {
	return Language{
		Name:        "en",
		pronouns:    list("he him his himself she her hers herself it its itself they them their theirs themselves this these those"),
		auxiliaries: list("is are was were has have had can could will would may might must should does do did"),
		negations:   []string{"not", "never"},
		contractions: pairs(`is=isn't are=aren't was=wasn't were=weren't has=hasn't have=haven't had=hadn't can=can't could=couldn't will=won't
			would=wouldn't must=mustn't should=shouldn't does=doesn't do=don't did=didn't`),
		positive: pairs(`not= never= no= cannot=can without=with isn't=is aren't=are wasn't=was weren't=were hasn't=has haven't=have hadn't=had
			can't=can couldn't=could won't=will wouldn't=would doesn't=does don't=do didn't=did neither=either nobody=somebody nothing=something none=some`),
		units: groups("km|m|cm|mm", "kilometers|meters|miles|feet|yards|centimeters", "kilometres|metres|miles|feet|yards|centimetres",
			"kilometer|meter|mile|foot|inch", "km²|m²|ha", "hectares|acres", "kg|g|t", "kilograms|grams|tons|pounds", "tonnes|kilograms|grams",
			"seconds|minutes|hours|days|weeks|months|years|decades|centuries", "second|minute|hour|day|week|month|year", "dollars|euros|pounds|francs|yen",
			"°C|°F|K", "%", "percent", "$|€|£", "kW|MW|GW", "Hz|kHz|MHz|GHz", "kB|MB|GB|TB", "mph|km/h", "liters|gallons", "litres|gallons"),
		between:  list("square cubic million billion thousand US"),
		calendar: list("January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
		places:   list("in on at during since until"),
		numbers:  list("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred"),
		joins:    list("and or"),
		opposite: groups("before|after", "more|less", "larger|smaller", "largest|smallest", "higher|lower", "highest|lowest", "increased|decreased",
			"rose|fell", "grew|shrank", "won|lost", "opened|closed", "above|below", "north|south", "east|west", "northern|southern", "eastern|western",
			"earlier|later", "older|younger", "oldest|youngest", "longer|shorter", "longest|shortest", "best|worst", "inside|outside", "first|last",
			"included|excluded", "includes|excludes", "accepted|rejected", "allowed|forbidden", "upper|lower", "least|most", "minimum|maximum", "stronger|weaker"),
		quantifiers: groups("all|every|each", "some|several", "no", "most", "many", "few", "only"),
	}
}

// German is the language of a second, small set.
func German() Language {
	return Language{
		Name: "de",
		pronouns: list(`er ihn ihm sie ihr ihre ihren ihrem ihrer ihres es sein seine seinen seinem seiner seines
			dieser diese dieses diesen diesem jener jene jenes jenen jenem`),
		auxiliaries: list("ist sind war waren hat haben hatte hatten kann können konnte konnten wird werden wurde wurden muss müssen darf dürfen soll sollte"),
		negations:   []string{"nicht", "nie", "niemals"},
		positive:    pairs("nicht= nie= niemals= kein=ein keine=eine keinen=einen keinem=einem keiner=einer keines=eines ohne=mit niemand=jemand nichts=etwas weder=entweder"),
		units: groups("km|m|cm|mm", "Kilometer|Meter|Zentimeter|Millimeter", "Kilometern|Metern|Zentimetern", "kg|g|t", "Kilogramm|Gramm|Tonnen",
			"Sekunden|Minuten|Stunden|Tage|Wochen|Monate|Jahre", "Sekunden|Minuten|Stunden|Tagen|Wochen|Monaten|Jahren", "Euro|Dollar|Pfund|Franken",
			"°C|°F|K", "%", "Prozent", "€|$|£", "kW|MW|GW", "Liter|Kubikmeter", "Hektar|Quadratkilometer"),
		between:  list("Millionen Milliarden Tausend"),
		calendar: list("Januar Februar März April Mai Juni Juli August September Oktober November Dezember Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
		places:   list("in im an am auf bei während seit bis"),
		numbers:  list("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert"),
		joins:    list("und oder"),
		opposite: groups("vor|nach", "mehr|weniger", "größer|kleiner", "größte|kleinste", "höher|niedriger", "stieg|sank", "früher|später", "älter|jünger",
			"länger|kürzer", "gewann|verlor", "nördlich|südlich", "östlich|westlich", "mindestens|höchstens", "über|unter"),
		quantifiers: groups("alle|jede", "einige", "keine", "viele", "wenige", "nur"),
		names: list(`Warnau Ernst Krahl Havel Brandenburg Rathenow Potsdam Wittenberge Egg Anna Feurstein Bregenz Hohen List Bonn
			Wilhelm Becker Göttingen Daun Amerika Kollund Flensburg Sonderburg Maren Lorenzen Jens Petersen`),
		inverts: true,
	}
}
