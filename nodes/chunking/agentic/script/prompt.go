package script

import (
	"regexp"
	"strings"
)

// Line is a labelled text of a prompt.
type Line struct {
	Label, Text string
	// Number is that of the sentence, the proposition or the theme, from 0; -1
	// when it is not known.
	Number int
}

// Lines returns what a prompt asks about: the labelled texts of its last fence.
// Labels begin with letters that stand before a digit nowhere in the texts.
func Lines(user string) []Line {
	body := lastFence(user)
	first := firstLabel.FindStringSubmatch(body)
	if first == nil {
		return nil
	}
	at := regexp.MustCompile(`(?m)^\[(`+first[1]+`[0-9]+)\] `).FindAllStringSubmatchIndex(body, -1)
	out := make([]Line, len(at))
	for i, m := range at {
		end := len(body)
		if i+1 < len(at) {
			end = at[i+1][0] - 1
		}
		out[i] = Line{Label: body[m[2]:m[3]], Text: body[m[1]:end], Number: -1}
	}
	return out
}

var (
	firstLabel = regexp.MustCompile(`^\[([A-Z]+)[0-9]+\] `)
	fenceOpens = regexp.MustCompile(`(?m)^<<<((?:TEXT|DATA)-[0-9a-f]+)$`)
)

// lastFence returns what stands between the marks of the text, or of the data.
func lastFence(user string) string {
	for _, m := range fenceOpens.FindAllStringSubmatchIndex(user, -1) {
		mark := user[m[2]:m[3]]
		if end := strings.LastIndex(user, "\n"+mark+">>>"); end > m[1] {
			return user[m[1]+1 : end]
		}
	}
	return ""
}
