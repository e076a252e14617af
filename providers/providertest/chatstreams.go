package providertest

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// pieces cuts the good answer.
func pieces() []string {
	return []string{quoted(""), quoted(said[:8]), quoted(said[8:9]), quoted(said[9:])}
}

func (c ChatSubject) reply(body string) reply {
	return reply{body: body, header: http.Header{"Content-Type": {c.StreamType}}}
}

// testStreams checks answers that come in pieces although none were asked for.
func testStreams(t *testing.T, s Subject) {
	stream := s.Chat.Stream(pieces(), "stop")
	good := func(name string, rep reply) {
		t.Run(name, func(t *testing.T) {
			_, got, err := chatOnce(t, s, rep)
			checkSaid(t, got, err)
			if u := got.Usage; u == nil || u.InputTokens != 4 || u.OutputTokens != 2 || u.TotalTokens != 6 || got.ReportedModel != "m-1" {
				t.Errorf("usage %+v, model %q", got.Usage, got.ReportedModel)
			}
		})
	}
	good("as declared", s.Chat.reply(stream))
	good("declared with a character set", reply{body: stream, header: http.Header{"Content-Type": {s.Chat.StreamType + "; charset=utf-8"}}})
	good("declared as JSON", reply{body: stream})
	good("not declared", reply{body: stream, header: http.Header{"Content-Type": {""}}})
	good("CR LF", s.Chat.reply(strings.ReplaceAll(stream, "\n", "\r\n")))
	good("one piece for each character", s.Chat.reply(s.Chat.Stream(characters(said), "stop")))
	good("nulls between", s.Chat.reply(s.Chat.Stream(append([]string{"null"}, pieces()...), "stop")))
	good("without the last line break", s.Chat.reply(strings.TrimRight(stream, "\n")))
	if s.Chat.Events {
		good("byte order mark", s.Chat.reply("\ufeff"+stream))
		good("CR", s.Chat.reply(strings.ReplaceAll(stream, "\n", "\r")))
		good("comments and fields", s.Chat.reply(": OPENROUTER PROCESSING\n\nid: 1\nretry: 5\nevent: message\n"+strings.ReplaceAll(stream, "data: ", ": ping\nevent: x\ndata:")))
		good("no empty lines", s.Chat.reply(strings.ReplaceAll(stream, "\n\n", "\n")))
		good("data over several lines", s.Chat.reply(strings.ReplaceAll(stream, `,"`, ",\ndata: \"")))
		good("kept open after the end", func() reply { r := s.Chat.reply(stream); r.hold = true; return r }())
		good("more after the end", s.Chat.reply(stream+"data: {\"error\":\"x\"}\n\n"))
		good("first chunk without a choice", s.Chat.reply(`data: {"choices":[],"prompt_filter_results":[]}`+"\n\n"+stream))
	}
	t.Run("cut at a limit", func(t *testing.T) {
		_, got, err := chatOnce(t, s, s.Chat.reply(s.Chat.Stream(pieces(), "length")))
		if err != nil || got.Finish != providers.FinishLength || got.Check() == nil {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("no word", func(t *testing.T) {
		_, got, err := chatOnce(t, s, s.Chat.reply(s.Chat.Stream([]string{`""`}, "stop")))
		if err != nil || got.Finish != providers.FinishEmpty || got.Check() == nil {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a line of 9 MB", func(t *testing.T) {
		long := strings.Repeat("x", 9<<20)
		_, got, err := chatOnce(t, s, s.Chat.reply(s.Chat.Stream([]string{quoted(long), quoted("y")}, "stop")))
		if err != nil || got.Text != long+"y" {
			t.Errorf("%d bytes, %v", len(got.Text), err)
		}
	})
	t.Run("looks like the end", func(t *testing.T) {
		text := "data: [DONE]\n\ndata: [DONE]\n"
		_, got, err := chatOnce(t, s, s.Chat.reply(s.Chat.Stream([]string{quoted(text), quoted("z")}, "stop")))
		if err != nil || got.Text != text+"z" {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a character in two pieces", func(t *testing.T) {
		_, got, err := chatOnce(t, s, s.Chat.reply(s.Chat.Stream([]string{"\"a\xc3\"", "\"\xa9b\""}, "stop")))
		if err != nil || got.Text != "aéb" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func characters(text string) []string {
	var out []string
	for _, r := range text {
		out = append(out, quoted(string(r)))
	}
	return out
}

// testCutStreams cuts a good stream at every byte, with a clean end, and then
// by breaking the connection. No part is an answer; it is asked for again.
func testCutStreams(t *testing.T, s Subject) {
	stream := s.Chat.Stream(pieces(), "stop")
	last := strings.Index(stream, s.Chat.End) + len(s.Chat.End)
	step := 1
	if testing.Short() {
		step = 7
	}
	shared := newShared(t, s)
	for i := 1; i < last; i += step {
		shared.answer(s.Chat.reply(stream[:i]))
		got, err := shared.chat(shared.chatJob())
		if err == nil {
			t.Fatalf("%q was taken for the answer %q", stream[:i], got.Text)
		}
		var pe *providers.Error
		if errors.As(err, &pe); i > strings.Index(stream, "\n") && (pe.Kind != providers.KindConnection || !pe.Retryable()) {
			t.Errorf("cut after byte %d, at %q: %v", i, stream[max(0, i-20):i], err)
		}
	}
	for _, c := range []struct {
		name string
		edit func(*reply)
	}{
		{"ends cleanly", func(r *reply) { r.body = r.body[:strings.LastIndex(r.body[:last-len(s.Chat.End)], "\n")+1] }},
		{"ends in a line", func(r *reply) { r.body = r.body[:last-len(s.Chat.End)-3] }},
		{"breaks off", func(r *reply) { r.abort = true; r.body = r.body[:last-len(s.Chat.End)] }},
		{"breaks off after the first piece", func(r *reply) { r.abort = true; r.body = r.body[:strings.Index(r.body, "\n")+1] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := s.Chat.reply(stream)
			c.edit(&rep)
			h, got, err := chatOnce(t, s, rep)
			mustFail(t, got, err, providers.KindConnection)
			mustSay(t, err, "cut while it was streamed", "after 3 attempts", "http://127.0.0.1:")
			if n := len(h.seen()); n != 3 {
				t.Errorf("%d requests, want 3", n)
			}
			h = newHarness(t, s, func(r Request) reply {
				if r.N == 1 {
					return rep
				}
				return reply{body: s.Chat.Answer(quoted(said), "stop")}
			})
			job := h.chatJob()
			job.Retries = 1
			got, err = h.chat(job)
			checkSaid(t, got, err)
			if got.Retries != 1 || got.Calls != 2 {
				t.Errorf("%d calls, %d retries", got.Calls, got.Retries)
			}
		})
	}
}

// testStreamEnds checks what may stand at the end of a stream instead of it.
func testStreamEnds(t *testing.T, s Subject) {
	stream := s.Chat.Stream(pieces(), "stop")
	body := stream[:strings.LastIndex(stream[:strings.Index(stream, s.Chat.End)], "\n")+1]
	line := func(json string) string {
		if s.Chat.Events {
			return "data: " + json + "\n\n"
		}
		return json + "\n"
	}
	cases := []struct {
		name, tail string
		requests   int
		says       string
	}{
		{"server stopped", line(`{"error":"an error was encountered while running the model: unexpected EOF"}`), 3, "reports an error"},
		{"bad schema", line(`{"error":"invalid JSON schema in format"}`), 1, "reports an error"},
		{"overloaded", line(`{"error":{"type":"overloaded_error","message":"x"}}`), 3, "(overloaded_error)"},
		{"no JSON", line(`{"x":tru}`), 1, "not valid JSON"},
	}
	if s.Chat.Events {
		cases = append(cases, []struct {
			name, tail string
			requests   int
			says       string
		}{
			{"event of type error", "event: error\ndata: {\"message\":\"x\"}\n\n", 3, "reports an error"},
			{"error in a choice", line(`{"choices":[{"delta":{},"error":{"code":502},"finish_reason":"error"}]}`), 3, "reports an error"},
			{"second choice", line(`{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`) + "data: [DONE]\n\n", 1, "more than the one choice"},
		}...)
	} else {
		cases = append(cases, struct {
			name, tail string
			requests   int
			says       string
		}{"goes on after the end", s.Chat.End + "\n" + line(`{"message":{"content":"x"},"done":true}`), 1, "goes on after its end"})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h, got, err := chatOnce(t, s, s.Chat.reply(body+c.tail))
			mustFail(t, got, err, providers.KindAnswer)
			mustSay(t, err, c.says)
			if n := len(h.seen()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
	t.Run("no stream at all", func(t *testing.T) {
		_, got, err := chatOnce(t, s, s.Chat.reply(""))
		if err == nil {
			t.Errorf("an empty body gives %+v", got)
		}
	})
	if s.Chat.Events {
		t.Run("end alone", func(t *testing.T) {
			_, got, err := chatOnce(t, s, s.Chat.reply("data: [DONE]\n\n"))
			mustFail(t, got, err, providers.KindAnswer)
			mustSay(t, err, "no choices")
		})
	}
}
