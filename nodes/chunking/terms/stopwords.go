package terms

import "strings"

// stopWords returns the English function words that say nothing about a topic,
// as the tokenizer leaves them: lower case, cut at apostrophes.
func stopWords() map[string]bool {
	lists := []string{
		// articles, demonstratives, quantities
		"a an the this that these those some any each every either neither both all",
		"none no not nor such same other others another much many more most few fewer",
		"less least several enough own one ones two",
		// pronouns
		"i me my mine myself we us our ours ourselves you your yours yourself",
		"yourselves he him his himself she her hers herself it its itself they them",
		"their theirs themselves who whom whose which what whatever whoever whichever",
		"someone somebody something anyone anybody anything everyone everybody",
		"everything nobody nothing",
		// auxiliaries and contractions cut at the apostrophe
		"am is are was were be been being do does did doing done have has had having",
		"will would shall should can could may might must ought need dare let",
		"s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn won",
		"wouldn shouldn couldn cannot mustn needn ain",
		// prepositions
		"about above across after against along among around as at before behind",
		"below beneath beside besides between beyond by despite down during except for",
		"from in inside into like near of off on onto out outside over past per since",
		"through throughout till to toward towards under until unto up upon via with",
		"within without",
		// conjunctions
		"and but or so yet if then else than though although because while whereas",
		"whether unless lest",
		// adverbs of place, time and degree
		"here there where when why how again further once ever never always often",
		"sometimes now just only also too very quite rather almost already still even",
		"perhaps maybe well away back however therefore thus hence moreover",
		"nevertheless instead otherwise indeed really merely simply",
		// verbs of little content
		"get got gets go goes went going gone make makes made take takes took say",
		"says said",
	}
	words := map[string]bool{}
	for _, list := range lists {
		for word := range strings.FieldsSeq(list) {
			words[word] = true
		}
	}
	return words
}
