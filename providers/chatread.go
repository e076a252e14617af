package providers

import "strings"

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
