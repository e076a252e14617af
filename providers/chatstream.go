package providers

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// endMark is the data of the event with which OpenAI's streams end.
const endMark = "[DONE]"

// isEventStream reports whether an answer declares server-sent events.
func isEventStream(h http.Header) bool { return mediaType(h) == "text/event-stream" }

// isStream reports whether an answer is one that comes in pieces: server-sent
// events, or one JSON document on each line.
func isStream(h http.Header, text string) bool {
	switch mediaType(h) {
	case "text/event-stream", "application/x-ndjson", "application/ndjson", "application/jsonl":
		return true
	}
	return looksLikeEvents(text)
}

func mediaType(h http.Header) string {
	t, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return ""
	}
	return t
}

// looksLikeEvents reports whether a text begins as no JSON document does, but
// server-sent events do. Servers were seen to declare them as something else.
func looksLikeEvents(text string) bool {
	text = strings.TrimLeft(text, "\ufeff\r\n")
	for _, start := range []string{":", "data:", "event:", "id:", "retry:"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// readEvents reads server-sent events up to the end mark or the end of the
// body. A server may keep the connection open after the mark.
func readEvents(body io.Reader) (string, error) {
	var b strings.Builder
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		from := b.Len()
		b.Write(buf[:n])
		if n > 0 && hasEndMark(b.String(), from) {
			return b.String(), nil
		}
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
	}
}

// hasEndMark reports whether a line with the end mark alone ends behind from.
// JSON holds no line break inside a text, so that no answer can make up such a
// line.
func hasEndMark(text string, from int) bool {
	from = max(0, from-len(endMark))
	for {
		i := strings.Index(text[from:], endMark)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(endMark)
		before := strings.TrimSuffix(text[max(0, i-len("\ndata: ")):i], " ")
		before, isData := strings.CutSuffix(before, "data:")
		if !isData || before != "" && before[len(before)-1] != '\n' && before[len(before)-1] != '\r' {
			continue
		}
		if from < len(text) && (text[from] == '\n' || text[from] == '\r') {
			return true
		}
	}
}

// events calls visit with the type and the data of each server-sent event, as
// the WHATWG HTML standard (9.2.6) describes, until one is the end mark. An
// event that the end of the text ends is visited when it is whole. done reports
// that the end mark was there.
func events(text string, visit func(kind, data string) error) (done bool, err error) {
	text = strings.TrimPrefix(text, "\ufeff")
	kind, data, any := "", strings.Builder{}, false
	dispatch := func(cut bool) error {
		k, d := kind, data.String()
		ready := any
		kind, any = "", false
		data.Reset()
		if !ready {
			return nil
		}
		// Some servers forget the empty line between two events.
		if rest, ok := strings.CutSuffix(d, endMark); ok && (rest == "" || rest[len(rest)-1] == '\n') {
			done, d = true, rest
		}
		if strings.TrimSpace(d) == "" || cut && !done && !json.Valid([]byte(d)) {
			return nil
		}
		return visit(k, d)
	}
	for text != "" && !done {
		var line string
		line, text = cutLine(text)
		if line == "" {
			if err := dispatch(false); err != nil {
				return false, err
			}
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			kind = value
		case "data":
			if any {
				data.WriteByte('\n')
			}
			data.WriteString(value)
			any = true
		}
	}
	if !done {
		err = dispatch(true)
	}
	return done, err
}

// cutLine splits off the first line, which ends with LF, CR LF or CR.
func cutLine(text string) (line, rest string) {
	i := strings.IndexAny(text, "\r\n")
	switch {
	case i < 0:
		return text, ""
	case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return text[:i], text[i+2:]
	}
	return text[:i], text[i+1:]
}

// streamCut is the failure of a stream that ended before its end mark.
func streamCut(cause error) *Error {
	return &Error{
		Kind: KindConnection, Transient: true, Err: cause,
		Detail: "the answer was cut while it was streamed", Hint: "raise call_retries if this happens often",
	}
}
