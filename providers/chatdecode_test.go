package providers

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// TestDecodeChatTruncated cuts good answers at every byte.
func TestDecodeChatTruncated(t *testing.T) {
	openAI := `{"choices":[{"index":0,"message":{"content":[{"type":"text","text":"a\u0062"},"c"],"refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1,"total_tokens":1e2},"x":[true,null,-0.5e-3]}`
	ollama := `{"model":"m","message":{"role":"assistant","content":"ab\n"},"done_reason":"stop","eval_count":3,"done":true,"x":-1.5}`
	for i := range len(openAI) {
		if a, err := DecodeOpenAIChat(openAI[:i]); err == nil {
			t.Errorf("%q was taken for %v", openAI[:i], a)
		} else if !endsEarly(err) {
			t.Errorf("%q: %v", openAI[:i], err)
		}
	}
	for i := range len(ollama) {
		if a, err := DecodeOllamaChat(ollama[:i]); err == nil {
			t.Errorf("%q was taken for %v", ollama[:i], a)
		} else if !endsEarly(err) {
			t.Errorf("%q: %v", ollama[:i], err)
		}
	}
	if a, err := DecodeOpenAIChat(openAI); err != nil || a.Text != "abc" || a.Usage != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := DecodeOllamaChat(ollama); err != nil || a.Text != "ab\n" || *a.Usage != (Usage{0, 3, 3}) {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestHasEndMark(t *testing.T) {
	for text, want := range map[string]bool{
		"data: [DONE]\n": true, "data:[DONE]\r": true, "data: {}\n\ndata: [DONE]\r\n\r\n": true, "data: {}\rdata: [DONE]\r": true,
		"data: [DONE]": false, "data:  [DONE]\n": false, "data: [DONE] \n": false, "xdata: [DONE]\n": false, `data: "[DONE]` + "\n": false,
		": data: [DONE]\n": false, "[DONE]\n": false, "": false, "data: [DONE][DONE]\n": false,
	} {
		if got := hasEndMark(text, 0); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		// Found too when only its end is new.
		for from := range len(text) {
			if got := hasEndMark(text, from); got && !want {
				t.Errorf("%q from %d: %v", text, from, got)
			}
		}
	}
}

// TestReadEventsStops checks that nothing behind the end mark is waited for,
// however the bytes arrive.
func TestReadEventsStops(t *testing.T) {
	text := "data: {\"a\":\"data: [DONE]\\n\"}\n\ndata: [DONE]\n"
	r := iotest.OneByteReader(strings.NewReader(text + strings.Repeat("x", 100)))
	got, err := readEvents(r)
	if err != nil || got != text {
		t.Errorf("%q, %v", got, err)
	}
	broken := errors.New("broken")
	got, err = readEvents(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("data: x"))))
	if err == nil || got != "d" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err = readEvents(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestIsStream(t *testing.T) {
	for contentType, want := range map[string]bool{
		"text/event-stream": true, "Text/Event-Stream; charset=utf-8": true, "application/x-ndjson": true,
		"application/json": false, "": false, "text/event-stream;;": true, "x": false,
	} {
		if got := isStream(http.Header{"Content-Type": {contentType}}, "{}"); got != want {
			t.Errorf("%q: %v, want %v", contentType, got, want)
		}
	}
	if !isStream(http.Header{}, "\ufeffdata: x") || isStream(http.Header{}, `{"data:":1}`) {
		t.Error("the text of a stream is not told from JSON")
	}
}

// checkDecoded looks at what must hold whatever was decoded.
func checkDecoded(t *testing.T, a *ChatAnswer, err error) {
	t.Helper()
	if err != nil {
		if a != nil {
			t.Fatal("an answer came with an error")
		}
		if e := asError(err); e == nil || e.Kind != KindAnswer && e.Kind != KindConnection {
			t.Fatalf("%v", err)
		}
		return
	}
	if !utf8.ValidString(a.Text) || strings.TrimSpace(a.Text) == "" && a.Check() == nil {
		t.Fatalf("%+v was taken for an answer", a)
	}
}

func FuzzDecodeOpenAIChat(f *testing.F) {
	f.Add(`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"model":"m","usage":{"prompt_tokens":1}}`)
	f.Add(`{"choices":[{"message":{"content":[{"type":"text","text":"\ud83d"}],"tool_calls":[{}]}}]}`)
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\nevent: x\rdata: [DONE]\n")
	f.Add(": c\n\nevent: error\ndata: {}\n\n")
	f.Add(`{"error":{"code":"x"}}`)
	f.Fuzz(func(t *testing.T, body string) {
		a, err := DecodeOpenAIChat(body)
		checkDecoded(t, a, err)
		if err != nil || looksLikeEvents(body) {
			return
		}
		var std struct {
			Choices []struct{ Message, Delta struct{ Content any } }
		}
		if !json.Valid([]byte(body)) {
			t.Fatalf("%q is not JSON", body)
		}
		// encoding/json ignores the case of keys; where that changes nothing,
		// both must read the same text.
		if json.Unmarshal([]byte(body), &std) == nil && len(std.Choices) == 1 && a.Text != "" && strings.Count(strings.ToLower(body), "content") == 1 {
			for _, c := range []any{std.Choices[0].Message.Content, std.Choices[0].Delta.Content} {
				if s, ok := c.(string); ok && utf8.ValidString(body) && s != a.Text {
					t.Fatalf("%q gives %q, encoding/json %q", body, a.Text, s)
				}
			}
		}
	})
}

func FuzzDecodeOllamaChat(f *testing.F) {
	f.Add(`{"model":"m","message":{"content":"a"},"done":true,"done_reason":"stop","eval_count":1}`)
	f.Add("{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"message\":{\"content\":\"\"},\"done\":true}\n")
	f.Add(`{"error":"x"}`)
	f.Add(`{"message":{"content":null,"thinking":"x"},"done":true,"done_reason":"load"}`)
	f.Fuzz(func(t *testing.T, body string) {
		a, err := DecodeOllamaChat(body)
		checkDecoded(t, a, err)
	})
}

// FuzzStreams cuts a text into pieces, streams it in both formats, with any
// line ends, and wants it back.
func FuzzStreams(f *testing.F) {
	f.Add("The tide turns.", uint8(3), uint8(0))
	f.Add("data: [DONE]\n\ndata: \"é😀\\", uint8(1), uint8(1))
	f.Add("\r\n: x\u2028", uint8(2), uint8(2))
	f.Fuzz(func(t *testing.T, text string, size, end uint8) {
		if !utf8.ValidString(text) || strings.TrimSpace(text) == "" || len(text) > 1<<12 {
			return
		}
		eol := []string{"\n", "\r\n", "\r"}[end%3]
		var sse, lines strings.Builder
		rest := []rune(text)
		for len(rest) > 0 {
			n := min(int(size%16)+1, len(rest))
			piece, err := json.Marshal(string(rest[:n]))
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
			sse.WriteString(`data: {"choices":[{"delta":{"content":` + string(piece) + `}}]}` + eol + eol)
			lines.WriteString(`{"message":{"content":` + string(piece) + `},"done":false}` + eol)
		}
		sse.WriteString("data: [DONE]" + eol + eol)
		lines.WriteString(`{"message":{"content":""},"done":true,"done_reason":"stop"}` + eol)
		body, err := readEvents(iotest.HalfReader(strings.NewReader(sse.String() + "data: more" + strconv.Itoa(int(size)))))
		if err != nil {
			t.Fatal(err)
		}
		for name, decode := range map[string]func() (*ChatAnswer, error){
			"events": func() (*ChatAnswer, error) { return DecodeOpenAIChat(body) },
			"lines":  func() (*ChatAnswer, error) { return DecodeOllamaChat(lines.String()) },
		} {
			a, err := decode()
			if err != nil || a.Text != text {
				t.Fatalf("%s: %+v, %v; want %q", name, a, err, text)
			}
		}
	})
}
