package verify

import "strings"

// lexicon is what the rules for words know of a language.
type lexicon struct {
	name string
	// function words say nothing by themselves; their share tells the language.
	function set
	// negators, and words that bound or compare.
	negators, strict set
	// loose are those of strict that may be there in other words: a verb, or a time.
	loose set
	// alike are groups of quantifiers that may stand for each other.
	alike []set
	// things and persons are pronouns that need a referent, demonstratives those
	// that need one when a noun follows.
	things, persons, demonstratives set
	// definite words begin a description that can be put in for another.
	definite set
	// prepositions begin an adverbial.
	prepositions set
}

type set map[string]bool

func words(s string) set {
	out := set{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

func english() *lexicon {
	return &lexicon{
		name: "en",
		function: words(`a an the of in on at to for from by with as is are was were be been being has have had do does did will would can could
			may might must shall should and or but so that which who whom whose what when where while if than then also into about over under
			up out off there said says say according mentions mention stated reported told tells each both either any own its
			their his her it they them he him she this these those such not no never nor neither none all some several every only more less most least
			very just still however because since during after before until between through per via i we you us our your my me am whether
			although though both itself themselves himself herself another other`),
		negators: words(`no not never none nobody nothing neither nor cannot without hardly barely scarcely seldom rarely`),
		strict: words(`all every each some several only always never no none nobody nothing neither nor not cannot without few many most least more
			less fewer larger smaller higher lower greater longer shorter older younger before after until except unless increase increased
			increases decrease decreased decreases rose fell risen fallen grew grown grow grows shrank shrunk shrink shrinks gained lost gain lose won wins gains loses
			above below exceed exceeds exceeded hardly barely scarcely seldom rarely`),
		loose: words(`before after until increase increased increases decrease decreased decreases rose fell risen fallen grew grown grow grows
			shrank shrunk shrink shrinks gained lost gain lose won wins gains loses above below`),
		alike:          []set{words(`all every each`), words(`some several`), words(`few fewer`)},
		things:         words(`it its they them their theirs itself themselves`),
		persons:        words(`he him his she her hers himself herself`),
		demonstratives: words(`this these those`),
		definite:       words(`the this these those that such`),
		prepositions:   words(`in on at after before during until since for by from with between within under over`),
	}
}

func german() *lexicon {
	return &lexicon{
		name: "de",
		function: words(`der die das den dem des ein eine einer eines einem einen und oder aber auch als auf aus bei bis durch für gegen hat hatte
			haben hatten ist im in mit nach noch ob sich sind so über um unter vom von vor war waren was wenn werden wird wurde wurden zu zum
			zur zwischen kann können muss müssen dass dann sehr schon an am ins beim laut sagt sagte sagen heißt es er sie ihn ihm ihr ihre
			ihren ihrem ihrer sein seine seinen seinem seiner dieser diese dieses diesen diesem nicht kein keine keinen keinem keiner nie nur
			alle jede jeder jedes einige mehr weniger wie der`),
		negators: words(`nicht kein keine keinen keinem keiner keines nie niemals niemand nichts weder ohne kaum selten`),
		strict: words(`alle allen aller alles sämtliche jede jeder jedes jeden jedem einige einigen manche manchen meisten nur immer nie niemals niemand nichts weder nicht kein keine
			keinen keinem keiner keines ohne wenige wenigen viele vielen mehr weniger größer kleiner höher niedriger länger kürzer älter jünger vor nach bis
			außer stieg sank gestiegen gesunken wuchs schrumpfte gewachsen geschrumpft kaum selten`),
		loose: words(`vor nach bis stieg sank gestiegen gesunken wuchs schrumpfte gewachsen geschrumpft`),
		alike: []set{words(`alle allen aller alles jede jeder jedes jeden jedem sämtliche`),
			words(`einige einigen einiger manche manchen mehrere mehreren`), words(`nie niemals`), words(`wenige wenigen weniger`), words(`viele vielen vieler`)},
		things:         words(`es ihn ihm sie ihr ihre ihren ihrem ihrer er sein seine seinen seinem seiner`),
		persons:        words(``),
		demonstratives: words(`dieser diese dieses diesen diesem jener jene jenes`),
		definite:       words(`der die das den dem des dieser diese dieses diesen diesem`),
		prepositions:   words(`in im am an nach vor während bis seit für von mit zwischen unter über`),
	}
}

const personWords = ` man woman boy girl person people child children mother father brother sister son daughter wife husband king queen
 president minister mayor keeper engineer teacher owner worker potter builder captain doctor author player actor actress singer `

// isPerson reports whether a word can be meant by he or she.
func isPerson(w string) bool {
	if strings.Contains(personWords, " "+w+" ") {
		return true
	}
	for _, s := range []string{"ist", "ian", "man", "woman", "eer"} {
		if len(w) > len(s)+2 && strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}
