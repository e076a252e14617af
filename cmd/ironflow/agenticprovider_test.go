package main

import (
	"encoding/json"
	"regexp"
	"strings"
)

// labelled finds the labelled texts of a question of agentic chunking.
var labelled = regexp.MustCompile(`(?m)^\[([A-Z]+[0-9]+)\] (.*(?:\n[^\[<\n].*)*)$`)

// agenticAnswer answers a question of agentic chunking: with the sentences as they
// are, and with one theme for each first word. Modes: "agentic" (honest),
// "agenticinvent" (a statement that nobody wrote, labelled as the first sentence),
// "agenticforget" (only the first sentence, and no themes).
func agenticAnswer(in chatRequest, mode string) string {
	user := in.Messages[len(in.Messages)-1].Content
	begin := max(strings.LastIndex(user, "<<<TEXT-"), strings.LastIndex(user, "<<<DATA-"), 0)
	mark, body, _ := strings.Cut(user[min(begin+3, len(user)):], "\n")
	body, _, _ = strings.Cut(body, "\n"+mark+">>>")
	type item struct {
		Text      string   `json:"text"`
		Sentences []string `json:"sentences"`
	}
	type theme struct {
		Label string   `json:"label"`
		IDs   []string `json:"ids"`
	}
	var items []item
	var themes []theme
	at := map[string]int{}
	for _, m := range labelled.FindAllStringSubmatch(body, -1) {
		items = append(items, item{m[2], []string{m[1]}})
		word, _, _ := strings.Cut(m[2], " ")
		k, known := at[word]
		if !known {
			k = len(themes)
			at[word] = k
			themes = append(themes, theme{Label: "Theme " + word})
		}
		themes[k].IDs = append(themes[k].IDs, m[1])
	}
	grouping := strings.Contains(user, "<<<DATA-")
	switch {
	case mode == "agenticinvent" && !grouping && len(items) > 0:
		items[0].Text = "The SECRETMARKER burned down in 1777."
	case mode == "agenticforget":
		items, themes = items[:min(1, len(items))], nil
	}
	answer := any(map[string]any{"propositions": items})
	if grouping {
		answer = map[string]any{"groups": themes}
	}
	text, _ := json.Marshal(answer)
	return string(text)
}
