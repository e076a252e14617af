package flow

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

// WriteJSON writes the record as one line of JSON, in pieces, so that a large
// context is never in memory a second time. Secrets are removed from every
// text. After an error w holds the beginning of the document.
func (r *Record) WriteJSON(w io.Writer) error {
	j := &jsonWriter{w: w, redactor: r.redactor}
	j.open('{')
	j.text("run_id", r.RunID)
	j.text("flow", r.Flow)
	j.text("flow_sha256", r.FlowSHA256)
	j.text("status", string(r.Status))
	j.time("started", r.Started)
	j.time("finished", r.Finished)
	j.error(r.Error, nil)
	j.key("steps")
	j.open('[')
	for i := range r.Steps {
		j.step(&r.Steps[i])
	}
	j.close(']')
	j.value("context", r.Context)
	j.close('}')
	j.buf = append(j.buf, '\n')
	return j.flush()
}

// MarshalJSON returns the document of [Record.WriteJSON].
func (r *Record) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	if err := r.WriteJSON(&b); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// jsonWriter writes a document with members in a given order; the first error
// ends it.
type jsonWriter struct {
	w        io.Writer
	redactor *transport.Redactor
	buf      []byte
	comma    bool
	err      error
}

func (j *jsonWriter) open(c byte) {
	j.separate()
	j.buf = append(j.buf, c)
	j.comma = false
}

func (j *jsonWriter) close(c byte) {
	j.buf = append(j.buf, c)
	j.comma = true
}

func (j *jsonWriter) separate() {
	if j.comma {
		j.buf = append(j.buf, ',')
	}
	j.comma = true
}

func (j *jsonWriter) key(name string) {
	j.separate()
	j.buf = append(append(append(j.buf, '"'), name...), `":`...)
	j.comma = false
}

func (j *jsonWriter) any(v any) {
	if j.err == nil {
		j.buf, j.err = value.AppendJSON(j.buf, v)
	}
	j.comma = true
}

func (j *jsonWriter) text(name, s string) {
	j.key(name)
	j.any(validText(j.redactor.Redact(s)))
}

// validText escapes bytes that JSON cannot hold.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return nodes.Printable(s)
}

func (j *jsonWriter) time(name string, t time.Time) {
	j.key(name)
	if t.IsZero() {
		j.any(nil)
		return
	}
	j.any(timeText(t))
}

func (j *jsonWriter) error(e *ErrorInfo, output map[string]any) {
	if e == nil {
		return
	}
	j.key("error")
	j.open('{')
	j.text("message", e.Message)
	if e.Step != "" {
		j.text("step", e.Step)
		j.text("file", e.File)
		j.key("line")
		j.any(int64(e.Line))
	}
	j.text("kind", string(e.Kind))
	if output != nil {
		j.value("output", output)
	}
	j.close('}')
}

func (j *jsonWriter) step(s *StepRecord) {
	j.open('{')
	j.text("name", s.Name)
	j.text("node", s.Node)
	j.text("status", string(s.Status))
	j.key("attempts")
	j.any(int64(s.Attempts))
	j.time("started", s.Started)
	j.time("finished", s.Finished)
	if s.Reason != "" {
		j.text("reason", s.Reason)
	}
	j.error(s.Error, s.ErrorOutput)
	j.key("outputs")
	j.any(redacted(value.NewStrings(s.Outputs), j.redactor))
	j.close('}')
	if len(j.buf) >= 64<<10 {
		j.err = j.flush()
	}
}

// value writes a context value to the writer directly.
func (j *jsonWriter) value(name string, v any) {
	j.key(name)
	if err := j.flush(); err == nil {
		j.err = value.WriteJSON(j.w, redacted(v, j.redactor))
	}
	j.comma = true
}

func (j *jsonWriter) flush() error {
	if j.err == nil {
		_, j.err = j.w.Write(j.buf)
	}
	j.buf = j.buf[:0]
	return j.err
}
