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

// chatReader collects an answer from one document or the pieces of a stream.
type chatReader struct {
	answerMeta
	text    strings.Builder
	reason  string // as the server wrote it
	choices bool   // there was a choice or message
	refusal bool
	tools   bool
	done    bool // Ollama's end mark
}

// openAI reads one document: a completion or a chunk of one.
func (r *chatReader) openAI(d *scanner) error {
	once := onlyOnce{}
	return d.object(func(key string) error {
		if err := once.see(key, "choices", "error", "model", "usage"); err != nil {
			return err
		}
		switch key {
		case "choices":
			if d.peek() == 'n' {
				return d.word("null")
			}
			if d.peek() != '[' {
				return typeError(d, "choices", "an array")
			}
			return d.array(func(n int) error {
				if n > 0 {
					return answerError("it has more than the one choice that was asked for")
				}
				return r.choice(d)
			})
		case "error":
			return readError(d)
		case "model":
			return r.modelField(d)
		case "usage":
			return r.usageField(d)
		}
		return d.skip(1)
	})
}

// choice reads one element of choices.
func (r *chatReader) choice(d *scanner) error {
	if d.peek() != '{' {
		return typeError(d, "an element of choices", "an object")
	}
	once := onlyOnce{}
	err := d.object(func(key string) error {
		if err := once.see(key, "message", "delta", "finish_reason"); err != nil {
			return err
		}
		switch key {
		case "message", "delta":
			return r.message(d)
		case "finish_reason":
			return r.finishField(d)
		case "error":
			return readError(d)
		}
		return d.skip(1)
	})
	if err == nil && !once["message"] && !once["delta"] && !once["finish_reason"] {
		return wrongAPI(answerError("its choice has no message"))
	}
	r.choices = true
	return err
}

// message reads a message, or what a chunk adds to it.
func (r *chatReader) message(d *scanner) error {
	switch d.peek() {
	case 'n':
		return d.word("null")
	case '{':
	default:
		return typeError(d, "the message", "an object")
	}
	once := onlyOnce{}
	return d.object(func(key string) error {
		if err := once.see(key, "content", "refusal", "tool_calls"); err != nil {
			return err
		}
		switch key {
		case "content":
			return r.content(d)
		case "refusal":
			return r.refusalField(d)
		case "tool_calls", "function_call":
			switch d.peek() {
			case '[':
				return d.array(func(int) error {
					r.tools = true
					return d.skip(1)
				})
			case '{':
				r.tools = true
			}
		}
		return d.skip(1)
	})
}

// content reads a text, null, or a list of parts, of which only texts count.
func (r *chatReader) content(d *scanner) error {
	switch d.peek() {
	case 'n':
		return d.word("null")
	case '"':
		s, err := d.text()
		r.text.WriteString(s)
		return err
	case '[':
		return d.array(func(int) error { return r.part(d) })
	}
	return typeError(d, "the content", "a text, null or a list of parts")
}

// part reads one part of a content.
func (r *chatReader) part(d *scanner) error {
	switch d.peek() {
	case '"':
		return r.content(d)
	case '{':
	default:
		return typeError(d, "a part of the content", "an object or a text")
	}
	kind, text := "", ""
	once := onlyOnce{}
	err := d.object(func(key string) error {
		if err := once.see(key, "type", "text", "refusal"); err != nil {
			return err
		}
		var err error
		switch {
		case key == "type" && d.peek() == '"':
			kind, err = d.text()
			return err
		case key == "text" && d.peek() == '"':
			text, err = d.text()
			return err
		case key == "refusal":
			return r.refusalField(d)
		}
		return d.skip(1)
	})
	// Other parts, such as reasoning, may have a text too.
	if kind == "text" || kind == "output_text" || kind == "" {
		r.text.WriteString(text)
	}
	return err
}

// refusalField notes a refusal; its text is the server's and is not kept.
func (r *chatReader) refusalField(d *scanner) error {
	if d.peek() != '"' {
		return d.skip(1)
	}
	s, err := d.text()
	if s != "" {
		r.refusal = true
	}
	return err
}

// finishField keeps the reason; a later one in a stream replaces it.
func (r *chatReader) finishField(d *scanner) error {
	if d.peek() != '"' {
		return d.skip(1)
	}
	s, err := d.text()
	if s != "" {
		r.reason = s
	}
	return err
}

// ollama reads one document of Ollama's format.
func (r *chatReader) ollama(d *scanner) error {
	once := onlyOnce{}
	return d.object(func(key string) error {
		if err := once.see(key, "message", "done", "done_reason", "error", "model", "prompt_eval_count", "eval_count"); err != nil {
			return err
		}
		switch key {
		case "message":
			r.choices = true
			return r.message(d)
		case "done":
			if d.peek() != 't' {
				return d.skip(1)
			}
			r.done = true
			return d.word("true")
		case "done_reason":
			return r.finishField(d)
		case "error":
			return readError(d)
		case "model":
			return r.modelField(d)
		case "prompt_eval_count", "eval_count":
			return r.ollamaCount(d, key)
		}
		return d.skip(1)
	})
}

func (r *chatReader) ollamaCount(d *scanner, key string) error {
	n, ok, err := d.count()
	if !ok {
		return err
	}
	if r.usage == nil {
		r.usage = &Usage{}
	}
	if key == "eval_count" {
		r.usage.OutputTokens = n
	} else {
		r.usage.InputTokens = n
	}
	r.usage.TotalTokens = r.usage.InputTokens + r.usage.OutputTokens
	return nil
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
