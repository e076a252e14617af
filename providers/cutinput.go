package providers

import (
	"fmt"
	"strings"
	"unicode"
)

// NoteInputCut is the code of the note on a server that read fewer tokens than
// the input has words.
const NoteInputCut = "input_cut"

// smallestWindow is below the window of every model in use, in tokens.
const smallestWindow = 32

// inputCut compares what a server says it read with what was sent. Some servers
// cut what is too long for the model and say nothing, and some routes cannot be
// told not to. Tokenizers end a token where white space begins, so an input has
// at least as many tokens as words; fewer were read only if the rest was dropped.
// The reverse does not hold: an input may be cut and still pass. A count below
// any window is no count of what was read; some gateways make numbers up.
func inputCut(what, remedy string, words int, u *Usage) []Note {
	if u == nil || u.InputTokens < smallestWindow || u.InputTokens >= int64(words) {
		return nil
	}
	return []Note{{Code: NoteInputCut, Detail: fmt.Sprintf(
		"the server read %d tokens of %s with %d words: it has cut them in silence; %s", u.InputTokens, what, words, remedy)}}
}

// embedCut is inputCut for one batch.
func embedCut(texts []string, u *Usage) []Note {
	words := 0
	for _, t := range texts {
		words += countWords(t)
	}
	return inputCut("texts", `make the chunks smaller; provider="ollama" makes Ollama refuse such texts, its /v1 route cannot`, words, u)
}

// chatCut is inputCut for a conversation.
func chatCut(messages []Message, u *Usage) []Note {
	words := 0
	for _, m := range messages {
		words += countWords(m.Content)
	}
	return inputCut("messages", "make them shorter, or give the model a longer context (num_ctx in Ollama)", words, u)
}

// countWords counts the runs without white space that hold a letter or a digit:
// a tokenizer may drop signs, but not these.
func countWords(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		if strings.IndexFunc(word, func(r rune) bool { return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) }) >= 0 {
			n++
		}
	}
	return n
}

// wasCut reports whether the notes say that the input was cut.
func wasCut(notes []Note) bool {
	for _, n := range notes {
		if n.Code == NoteInputCut {
			return true
		}
	}
	return false
}
