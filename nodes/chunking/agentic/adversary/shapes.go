package adversary

import (
	"math/rand/v2"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
)

// shapeAttacks break or wrap the form of an answer.
func shapeAttacks() []Attack {
	const decoy = `{"propositions":[{"text":"The lighthouse keeper owns a parrot named Bosun.","sentences":["S1"]}]}`
	return []Attack{
		{Name: "closed thoughts", Extract: wrap("<think>\nLet me think.\n</think>\n", "")},
		{Name: "closed thoughts with braces", Extract: wrap("<think>"+decoy+" or {\"a\": [}</think>", "")},
		{Name: "unclosed thoughts", Counter: "verbatim", Extract: func(_ *rand.Rand, a script.Asked) script.Said {
			return script.Said{Text: "<think>I would answer " + script.Encode(a.Items) + " but wait", Cut: true}
		}},
		{Name: "unclosed thoughts that stop by themselves", Counter: "verbatim", Extract: says(script.Said{Text: "<think>Hmm. "})},
		{Name: "a json fence", Extract: wrap("```json\n", "\n```")},
		{Name: "a bare fence", Extract: wrap("```\n", "\n```")},
		{Name: "prose around", Extract: wrap("Sure, here you are:\n\n", "\n\nAnything else?")},
		{Name: "prose with brackets around", Extract: wrap("Facts [as asked] follow {see below}:\n", "\n[end]")},
		{Name: "an example block first", Extract: wrap("The form is:\n```json\n"+decoy+"\n```\nMy answer:\n```json\n", "\n```\n")},
		{Name: "an example object first", Extract: wrap(decoy+"\n\n", "")},
		{Name: "an example object last", Extract: wrap("", "\n\nAs in the example: "+decoy)},
		{Name: "a shell fence inside", Extract: wrap("```bash\necho '{}'\n```\n", "")},
		{Name: "a byte order mark and blanks", Extract: wrap("\ufeff \r\n\t", "\r\n \x00")},
		{Name: "backslashes not escaped", Counter: "ungrounded", Extract: func(_ *rand.Rand, a script.Asked) script.Said {
			return script.Said{Text: strings.ReplaceAll(script.Encode(a.Items), `\\`, `\`)}
		}},
		{Name: "trailing commas", Extract: func(_ *rand.Rand, a script.Asked) script.Said {
			return script.Said{Text: strings.ReplaceAll(script.Encode(a.Items), "]}", "],}")}
		}},
		{Name: "smart quotes for JSON's own", Counter: "verbatim", Extract: func(_ *rand.Rand, a script.Asked) script.Said {
			return script.Said{Text: strings.ReplaceAll(script.Encode(a.Items), `"`, "”")}
		}},
		{Name: "instructions of the document obeyed", Counter: "verbatim", Extract: says(script.Said{Text: "BANANA"})},
		{Name: "empty", Counter: "verbatim", Extract: says(script.Said{})},
		{Name: "empty and cut", Counter: "verbatim", Extract: says(script.Said{Cut: true})},
		{Name: "blanks", Counter: "verbatim", Extract: says(script.Said{Text: " \n\t "})},
		{Name: "an empty list", Counter: "verbatim", Extract: says(script.Said{Text: `{"propositions":[]}`})},
		{Name: "an empty object", Counter: "verbatim", Extract: says(script.Said{Text: `{}`})},
		{Name: "null", Counter: "verbatim", Extract: says(script.Said{Text: `null`})},
		{Name: "wrong types", Counter: "verbatim", Extract: says(script.Said{Text: `{"propositions":[1,null,[],{"text":7,"sentences":"x"},{"text":null},{"text":{"a":1}},true]}`})},
		{Name: "duplicate keys", Counter: "verbatim", Extract: says(script.Said{Text: `{"propositions":[{"text":"A cat sang.","text":"A dog sang loudly.","sentences":[]}],"propositions":[]}`})},
		{Name: "a refusal", Counter: "verbatim", Extract: says(script.Said{Refused: true})},
		{Name: "a refusal in words", Counter: "verbatim", Extract: says(script.Said{Text: "I'm sorry, but I cannot help with that."})},
		{Name: "not UTF-8", Counter: "verbatim", Extract: says(script.Said{Text: "{\"propositions\":[{\"text\":\"\xff\xfe\xc0 broken\",\"sentences\":[]}]}"})},
		{Name: "half a surrogate", Counter: "verbatim", Extract: says(script.Said{Text: `{"propositions":[{"text":"The \ud800 roof is \udc00 red.","sentences":[]}]}`})},
		{Name: "the prompt repeated", Counter: "verbatim", Extract: func(_ *rand.Rand, a script.Asked) script.Said { return script.Said{Text: a.User} }},
	}
}

// Large are answers of five megabytes, apart since they take a while.
func Large() []Attack {
	const size = 5 << 20
	return []Attack{
		{Name: "5 MB of prose", Counter: "verbatim", Extract: says(script.Said{Text: strings.Repeat("No end in sight. ", size/17)})},
		{Name: "5 MB of opening brackets", Counter: "verbatim", Extract: says(script.Said{Text: strings.Repeat("[", size)})},
		{Name: "5 MB of opening objects", Counter: "verbatim", Extract: says(script.Said{Text: strings.Repeat(`{"propositions":[`, size/17)})},
		{Name: "5 MB of blanks before the answer", Extract: wrap(strings.Repeat(" ", size), "")},
		{Name: "5 MB of thoughts before the answer", Extract: wrap("<think>"+strings.Repeat("{[ hmm ", size/7)+"</think>", "")},
		{Name: "5 MB of thoughts in thoughts", Counter: "verbatim", Extract: says(script.Said{Text: strings.Repeat("<think>", size/7)})},
		{Name: "5 MB of fences", Counter: "verbatim", Extract: says(script.Said{Text: strings.Repeat("```json\n", size/8)})},
		{Name: "5 MB of one statement", Counter: "ungrounded", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			return []script.Item{{Text: strings.Repeat("The same word again and again. ", size/31), Labels: []any{a.Lines[0].Label}}}
		})},
		{Name: "5 MB of the same statements", Counter: "duplicate", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			var out []script.Item
			for n := 0; n < size; n += 60 {
				out = append(out, a.Items[len(out)%len(a.Items)])
			}
			return out
		})},
		{Name: "grouping: a label of 5 MB", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			return script.Said{Text: script.EncodeGroups([]script.Theme{{Label: strings.Repeat("very long\n\x1b[31m ", size/15), IDs: ids(lines)}})}
		}},
		{Name: "grouping: 5 MB of brackets", Counter: "regrouped", Group: groups(script.Said{Text: strings.Repeat("[{", size/2)})},
	}
}

// groupAttacks answer the grouping badly; extraction stays honest.
func groupAttacks() []Attack {
	list := func(label string, members ...string) string {
		return script.EncodeGroups([]script.Theme{{Label: label, IDs: members}})
	}
	return []Attack{
		{Name: "grouping: empty", Counter: "regrouped", Group: groups(script.Said{})},
		{Name: "grouping: no themes", Counter: "regrouped", Group: groups(script.Said{Text: `{"groups":[]}`})},
		{Name: "grouping: prose", Counter: "regrouped", Group: groups(script.Said{Text: "They all are about the same thing."})},
		{Name: "grouping: a refusal", Counter: "regrouped", Group: groups(script.Said{Refused: true})},
		{Name: "grouping: half of the ids", Counter: "regrouped", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			return script.Said{Text: list("Half", ids(lines[:len(lines)/2])...)}
		}},
		{Name: "grouping: every id in two themes", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			return script.Said{Text: script.EncodeGroups([]script.Theme{{Label: "One", IDs: ids(lines)}, {Label: "Two", IDs: ids(lines)}})}
		}},
		{Name: "grouping: every id ten times", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			var all []string
			for range 10 {
				all = append(all, ids(lines)...)
			}
			return script.Said{Text: list("Again", all...)}
		}},
		{Name: "grouping: unknown ids only", Counter: "regrouped", Group: groups(script.Said{Text: list("Nobody", "Z1", "99999", "", "-1")})},
		{Name: "grouping: unknown ids between", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			return script.Said{Text: list("Mixed", append([]string{"P99999", "Q1"}, ids(lines)...)...)}
		}},
		{Name: "grouping: a theme for each id", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			var out []script.Theme
			for _, id := range ids(lines) {
				out = append(out, script.Theme{Label: "Theme of " + id, IDs: []string{id}})
			}
			return script.Said{Text: script.EncodeGroups(out)}
		}},
		{Name: "grouping: empty labels", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			return script.Said{Text: script.EncodeGroups([]script.Theme{{Label: "", IDs: ids(lines[:len(lines)/2])}, {Label: " \n\t", IDs: ids(lines[len(lines)/2:])}})}
		}},
		{Name: "grouping: one label for several themes", Group: func(_ *rand.Rand, lines []script.Line, _ string) script.Said {
			return script.Said{Text: script.EncodeGroups([]script.Theme{{Label: "Same", IDs: ids(lines[:len(lines)/2])}, {Label: "Same", IDs: ids(lines[len(lines)/2:])}})}
		}},
		{Name: "grouping: ids in disorder", Group: func(r *rand.Rand, lines []script.Line, _ string) script.Said {
			all := ids(lines)
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			n := r.IntN(len(all) + 1)
			return script.Said{Text: script.EncodeGroups([]script.Theme{{Label: "B", IDs: all[:n]}, {Label: "A", IDs: all[n:]}})}
		}},
		{Name: "grouping: in a fence after thoughts", Group: func(_ *rand.Rand, _ []script.Line, honest string) script.Said {
			return script.Said{Text: "<think>{\"groups\":[]}</think>\n```json\n" + honest + "\n```"}
		}},
		{Name: "grouping: unclosed thoughts", Counter: "regrouped", Group: groups(script.Said{Text: "<think>so many", Cut: true})},
		{Name: "grouping: cut in the middle", Group: func(_ *rand.Rand, _ []script.Line, honest string) script.Said {
			return script.Said{Text: honest[:len(honest)/2], Cut: true}
		}},
		{Name: "grouping: wrong types", Counter: "regrouped", Group: groups(script.Said{Text: `{"groups":[1,null,{"label":7,"ids":"all"},{"ids":[null,{},[],1.5]}]}`})},
	}
}

func ids(lines []script.Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Label
	}
	return out
}
