package providers

import (
	"strings"
	"unicode/utf8"
)

// NoteFinishReason is the code of the note on a reason to end that is not known.
const NoteFinishReason = "finish_reason"

// DecodeOpenAIChat reads an answer of the OpenAI chat completions format, whole
// or as a stream of server-sent events, whichever the server chose. Content is
// a text, null, or a list of parts; reasoning that stands apart is ignored.
// Keys are case-sensitive; unknown ones are skipped; each key that counts may
// stand once. Errors are [*Error] values of KindAnswer, or of KindConnection
// for a stream that was cut.
func DecodeOpenAIChat(body string) (*ChatAnswer, error) {
	r := &chatReader{}
	if !looksLikeEvents(body) {
		d := &scanner{s: body}
		if err := r.openAI(d); err != nil {
			return nil, noAPI(body, err)
		}
		if err := d.end(); err != nil {
			return nil, err
		}
		if !r.choices {
			return nil, wrongAPI(answerError("it has no choices"))
		}
		return r.answer()
	}
	done, err := events(body, func(kind, data string) error {
		if kind == "error" {
			return reportedError(data)
		}
		d := &scanner{s: data}
		for d.more() {
			if err := r.openAI(d); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil && endsEarly(err):
		return nil, streamCut(nil)
	case err != nil:
		return nil, err
	case !done:
		return nil, streamCut(nil)
	case !r.choices:
		return nil, wrongAPI(answerError("its stream has no choices"))
	}
	return r.answer()
}

// DecodeOllamaChat reads an answer of Ollama's /api/chat: one JSON document, or
// one for each piece of a stream. Errors are as those of [DecodeOpenAIChat].
func DecodeOllamaChat(body string) (*ChatAnswer, error) {
	r := &chatReader{}
	d := &scanner{s: body}
	for n := 0; n == 0 || d.more(); n++ {
		if r.done {
			return nil, answerError("it goes on after its end")
		}
		if err := r.ollama(d); err != nil {
			if n > 0 && endsEarly(err) {
				return nil, streamCut(nil)
			}
			return nil, noAPI(body, err)
		}
		if !r.choices {
			return nil, wrongAPI(answerError("it has no message"))
		}
	}
	if !r.done {
		return nil, streamCut(nil)
	}
	return r.answer()
}

// endsEarly reports whether a document failed only because the text ended.
func endsEarly(err error) bool {
	e := asError(err)
	return e != nil && e.Kind == KindAnswer && strings.HasSuffix(e.Detail, badTruncation)
}

// readError reads an error in an answer whose status says success; null is none.
func readError(d *scanner) error {
	if d.peek() == 'n' {
		return d.word("null")
	}
	start := d.i
	if err := d.skip(1); err != nil {
		return err
	}
	return reportedError(`{"error":` + d.s[start:d.i] + `}`)
}

// reportedError is a failure that an answer reports although its status says
// success. It is treated as that of a status 500 with the same words: repeated,
// unless they say that this does not help. With these a stream ends whose
// server was stopped.
func reportedError(body string) error {
	const status = 500
	c := classify(status, body)
	e := answerError("it reports an error although its status says success").(*Error)
	if c.code != "" {
		e.Detail += " (" + c.code + ")"
	}
	e.Code, e.Permanent, e.Transient, e.FormatRefused = c.code, c.permanent, !c.permanent, c.format
	e.Hint = taskChat.statusHint(status, c)
	return e
}

// answer makes an answer of what was read.
func (r *chatReader) answer() (*ChatAnswer, error) {
	a := &ChatAnswer{Text: r.text.String(), Refusal: r.refusal, Model: r.model, Usage: r.usage}
	if !utf8.ValidString(a.Text) {
		return nil, answerError("its text is not valid UTF-8")
	}
	var failed bool
	a.Finish, failed = finishReason(r.reason)
	if failed {
		e := answerError("the server gave up before its end").(*Error)
		e.Transient = true
		return nil, e
	}
	if strings.EqualFold(r.reason, "refusal") {
		a.Refusal = true
	}
	if strings.TrimSpace(a.Text) == "" {
		a.Text = ""
		switch {
		case a.Finish != FinishStop && a.Finish != FinishUnknown && a.Finish != FinishOther || a.Refusal:
		case r.tools:
			a.Finish = FinishTools
		default:
			a.Finish = FinishEmpty
		}
	}
	if a.Finish == FinishOther {
		a.Notes = []Note{{Code: NoteFinishReason, Detail: "the server gave a reason for the end of the answer that is not known: the answer may be cut"}}
	}
	return a, nil
}
