package ai

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ironflow/ironflow/nodes/value"
)

// withoutThinking removes a leading <think> block, which models without a
// reasoning parser on their server write into the answer. Elsewhere such tags
// belong to the text.
func withoutThinking(text string) (string, error) {
	const open, end = "<think>", "</think>"
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), open)
	if !ok {
		return text, nil
	}
	_, rest, ok = strings.Cut(rest, end)
	rest = strings.TrimLeft(rest, " \t\r\n")
	if !ok || rest == "" {
		return "", errors.New("the answer ended within or right behind the model's reasoning: raise max_tokens, or switch the reasoning off")
	}
	return rest, nil
}

// parseAnswer reads the JSON of an answer: the whole answer, or what a Markdown
// fence around all of it holds. Its error shows nothing of the answer.
func parseAnswer(text string) (any, error) {
	v, err := value.ParseJSON(withoutFence(text))
	var syntax *value.SyntaxError
	if errors.As(err, &syntax) {
		return nil, fmt.Errorf("the answer is not valid JSON (line %d, column %d)", syntax.Line, syntax.Column)
	}
	return v, err
}

func withoutFence(text string) string {
	const fence = "```"
	text = strings.TrimSpace(text)
	first, rest, ok := strings.Cut(text, "\n")
	info, opens := strings.CutPrefix(strings.TrimSpace(first), fence)
	body, closes := strings.CutSuffix(rest, fence)
	if !ok || !opens || !closes || strings.Contains(info, "`") {
		return text
	}
	return strings.TrimSpace(body)
}
