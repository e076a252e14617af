package verify

import (
	"slices"
	"strings"
)

// quantity is what stands with a number: an order of magnitude behind it, such as
// million, a unit behind that, and the sign of a currency before it.
type quantity struct {
	magnitude string
	units     []string
}

// unitModifiers stand between a number and its unit, and make another unit of it.
var unitModifiers = [...]string{"square", "cubic", "nautical", "metric", "quadrat", "kubik"}

// quantityAt reads what stands with the number at i.
func (x *lexis) quantityAt(tokens []token, i int) quantity {
	var q quantity
	add := func(t token) bool {
		u := x.units[t.fold]
		if u != "" {
			q.units = append(q.units, u)
		}
		return u != ""
	}
	if i > 0 && tokens[i-1].kind == mark {
		add(tokens[i-1])
	}
	for j := i + 1; j < len(tokens); j++ {
		if m := x.magnitudes[tokens[j].fold]; m != "" && q.magnitude == "" {
			q.magnitude = m
			continue
		}
		if tokens[j].fold == "us" {
			continue // US dollars
		}
		if slices.Contains(unitModifiers[:], tokens[j].fold) {
			q.units = append(q.units, tokens[j].fold)
			continue
		}
		add(tokens[j])
		break
	}
	return q
}

// unit checks what the statement puts with the number at i: its sentences have
// the same number with the same unit, and with the same order of magnitude. A unit
// may be left out. It does not convert: 5 km are not 5000 m here.
func (k *checking) unit(i int) {
	mine := k.c.lexis.quantityAt(k.tokens, i)
	if mine.magnitude == "" && len(mine.units) == 0 {
		return
	}
	magnitude, units := false, false
	for _, n := range k.sentences {
		tokens := k.c.sentences[n].tokens
		for j, t := range tokens {
			if t.kind != number || t.fold != k.tokens[i].fold {
				continue
			}
			theirs := k.c.lexis.quantityAt(tokens, j)
			sameMagnitude := theirs.magnitude == mine.magnitude
			magnitude = magnitude || sameMagnitude
			units = units || sameMagnitude && holdsAll(theirs.units, mine.units)
		}
	}
	switch {
	case !magnitude:
		k.fault("unit", "the number %q has another order of magnitude in its sentences", k.tokens[i].raw)
	case !units:
		k.fault("unit", "the number %q has another unit in its sentences", k.tokens[i].raw)
	}
}

// holdsAll reports whether a list holds every element of another.
func holdsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(u string) bool { return !slices.Contains(all, u) })
}

// unitNames are units with their spellings, the first of which stands for all.
func unitNames() map[string]string {
	return firstNames(
		"% percent prozent", "°c celsius", "°f fahrenheit", "k kelvin", "° degree degrees grad",
		"€ euro euros eur", "$ dollar dollars usd", "£ pound pounds", "¥ yen", "franc francs franken", "krone kroner kronen", "rupee rupees", "ruble rubles", "cent cents",
		"km kilometre kilometres kilometer kilometers kilometern", "m metre metres meter meters metern", "cm centimetre centimetres centimeter centimeters zentimeter zentimetern",
		"mm millimetre millimetres millimeter millimeters millimetern", "mile miles meile meilen", "yard yards", "inch inches zoll", "foot feet ft", "knot knots knoten",
		"acre acres", "ha hectare hectares hektar", "km²", "m²", "cm²", "m³", "cm³", "mph", "kmh",
		"kg kilogram kilograms kilogramme kilogrammes kilogramm", "g gram grams gramme grammes gramm", "mg milligram milligrams milligramm", "lb lbs", "ounce ounces oz", "t ton tons tonne tonnes tonnen",
		"h hour hours stunde stunden", "min minute minutes minuten", "s second seconds sekunde sekunden", "ms millisecond milliseconds millisekunden", "day days tag tage tagen",
		"week weeks woche wochen", "month months monat monate monaten", "year years jahr jahre jahren", "decade decades jahrzehnt jahrzehnte jahrzehnten", "century centuries jahrhundert jahrhunderte jahrhunderten",
		"w watt watts", "kw kilowatt kilowatts", "mw megawatt megawatts", "gw gigawatt gigawatts", "kwh", "mwh", "v volt volts", "ampere amperes",
		"l litre litres liter liters litern", "ml millilitre millilitres milliliter milliliters", "gallon gallons gallonen",
		"hz hertz", "khz", "mhz", "ghz", "kb", "mb megabyte megabytes", "gb gigabyte gigabytes", "tb terabyte terabytes",
	)
}

// magnitudeNames are orders of magnitude with their spellings.
func magnitudeNames() map[string]string {
	return firstNames("hundred hundert", "thousand thousands tausend", "million millions millionen mio", "billion billions milliarde milliarden mrd", "trillion trillions")
}

func firstNames(groups ...string) map[string]string {
	out := map[string]string{}
	for _, group := range groups {
		names := strings.Fields(group)
		for _, n := range names {
			out[n] = names[0]
		}
	}
	return out
}
