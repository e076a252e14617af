package verify

import "strings"

// axes are the directions that a statement must not turn, one line each: the words of
// one side, a bar, those of the other. Words of one side may stand for each other.
// Every inflected form is listed, since a stem would join words of other meanings.
func axes() []string { return append(englishAxes(), germanAxes()...) }

func englishAxes() []string {
	return []string{
		"more | less fewer",
		"larger bigger greater | smaller lesser",
		"largest biggest greatest | smallest",
		"most | least fewest",
		"higher | lower",
		"highest | lowest",
		"taller | shorter",
		"longer | shorter",
		"longest | shortest",
		"older elder | younger newer",
		"oldest eldest | youngest newest",
		"earlier sooner | later",
		"earliest | latest",
		"first | last",
		"faster quicker | slower",
		"fastest quickest | slowest",
		"stronger | weaker",
		"strongest | weakest",
		"better | worse",
		"best | worst",
		"warmer hotter | colder cooler",
		"warmest hottest | coldest coolest",
		"cheaper | dearer costlier",
		"cheapest | dearest costliest",
		"heavier | lighter",
		"heaviest | lightest",
		"deeper | shallower",
		"wider broader | narrower",
		"richer | poorer",
		"minimum | maximum",
		"before | after",
		"until | before",
		"above | below beneath",
		"inside | outside",
		"north | south",
		"northern | southern",
		"northward northwards | southward southwards",
		"east | west",
		"eastern | western",
		"eastward eastwards | westward westwards",
		"upper | lower",
		"left | right",
		"upstream | downstream",
		"increase increases increased increasing rise rises rose risen rising grow grows grew grown growing climbed climbs " +
			"| decrease decreases decreased decreasing fall falls fell fallen falling shrink shrinks shrank shrunk shrinking declined declines declining dropped drops",
		"gain gains gained gaining | lose loses lost losing",
		"win wins won winning | lose loses lost losing",
		// Without open and close: both are adjectives or adverbs as often ("close to").
		"opens opened opening | closes closed closing",
		"accept accepts accepted accepting approved approves | reject rejects rejected rejecting",
		"allow allows allowed allowing permit permits permitted | forbid forbids forbade forbidden prohibit prohibits prohibited ban bans banned",
		"include includes included including | exclude excludes excluded excluding",
		"buy buys bought buying | sell sells sold selling",
		"strengthen strengthens strengthened | weaken weakens weakened",
		"expand expands expanded | contract contracts contracted",
		"widen widens widened | narrow narrows narrowed",
		"import imports imported | export exports exported",
	}
}

func germanAxes() []string {
	return []string{
		"mehr | weniger",
		"größer größere größeren größeres | kleiner kleinere kleineren kleineres",
		"größte größten größter größtes | kleinste kleinsten kleinster kleinstes",
		"meisten | wenigsten",
		"höher höhere höheren | niedriger niedrigere niedrigeren tiefer",
		"höchste höchsten höchster | niedrigste niedrigsten niedrigster tiefste tiefsten",
		"länger längere längeren | kürzer kürzere kürzeren",
		"längste längsten | kürzeste kürzesten",
		"älter ältere älteren | jünger jüngere jüngeren",
		"älteste ältesten | jüngste jüngsten",
		"früher frühere früheren | später spätere späteren",
		"früheste frühesten | späteste spätesten",
		"schneller schnellere | langsamer langsamere",
		"stärker stärkere | schwächer schwächere",
		"besser bessere besseren | schlechter schlechtere schlechteren",
		"wärmer wärmere | kälter kältere",
		"billiger billigere | teurer teurere",
		"schwerer schwerere | leichter leichtere",
		"mindestens | höchstens",
		"minimum | maximum",
		"vor bevor | nach nachdem",
		"bis | vor bevor",
		"über | unter",
		"oberhalb | unterhalb",
		"innerhalb | außerhalb",
		"norden | süden",
		"nördlich nördliche nördlichen | südlich südliche südlichen",
		"osten | westen",
		"östlich östliche östlichen | westlich westliche westlichen",
		"steigen steigt stieg stiegen gestiegen zunehmen zunimmt zunahm zugenommen nahm+zu wachsen wächst wuchs wuchsen gewachsen erhöht erhöhte " +
			"| sinken sinkt sank sanken gesunken fallen fällt fiel fielen gefallen abnehmen abnimmt abnahm abgenommen nahm+ab schrumpfen schrumpft schrumpfte geschrumpft",
		"gewinnen gewinnt gewann gewannen gewonnen | verlieren verliert verlor verloren",
		"öffnen öffnet öffnete geöffnet | schließen schließt schloss geschlossen",
		"erlauben erlaubt erlaubte | verbieten verbietet verbot verboten",
		"angenommen | abgelehnt",
		"gekauft kaufte kauft | verkauft verkaufte",
	}
}

// direction is a side of an axis.
type direction struct {
	axis int
	side bool
}

// directions lists the sides that a word stands on.
func directions() map[string][]direction {
	out := map[string][]direction{}
	for n, line := range axes() {
		one, other, _ := strings.Cut(line, "|")
		for _, w := range strings.Fields(one) {
			out[w] = append(out[w], direction{n, false})
		}
		for _, w := range strings.Fields(other) {
			out[w] = append(out[w], direction{n, true})
		}
	}
	return out
}
