package providertest

import (
	"strings"
	"testing"

	"github.com/ironflow/ironflow/transport/transporttest"
)

// testChatLeaks plants a marker in every place that a server controls.
func testChatLeaks(t *testing.T, s Subject) {
	m := transporttest.NewMarker()
	json := func(body string) string { return http200("application/json", body) }
	stream := func(body string) string { return http200(s.Chat.StreamType, body) }
	answers := commonLeaks(m)
	good := s.Chat.Answer(quoted(m), "stop")
	events := s.Chat.Stream([]string{quoted(m), quoted(m)}, "stop")
	for name, answer := range map[string]string{
		"trailing":          json(good + m),
		"content is a list": json(s.Chat.Answer(`[[`+quoted(m)+`]]`, "stop")),
		"content is object": json(s.Chat.Answer(`{"`+m+`":1}`, "stop")),
		"broken UTF-8":      json(s.Chat.Answer(`"`+m+"\xff\"", "stop")),
		"literal":           json(s.Chat.Answer(m, "stop")),
		"failed":            json(s.Chat.Answer(quoted(m), "error")),
		"key":               json(`{"` + m + `":1,"message":` + quoted(m) + `}`),
		"twice":             json(s.Chat.Message(`"content":`+quoted(m)+`,"content":`+quoted(m), "stop")),
		"error code":        json(`{"error":{"code":"` + m + `","type":"` + m + `","param":"` + m + `"}}`),
		"cut stream":        stream(events[:strings.Index(events, s.Chat.End)]),
		"error in a stream": stream(strings.Replace(events, s.Chat.End, `{"error":"`+m+`"}`, 1)),
		"garbage stream":    stream(m + "\n\n" + m),
		"field of a stream": stream("data: " + m + "\n\n" + m + ": " + m + "\n\n"),
		"type of an event":  stream("event: " + m + "\ndata: {\"" + m + "\":1}\n\n"),
	} {
		answers[name] = answer
	}
	leaks(t, s, m, answers, json(good), chatAction(s))

	// Answers that are none: what Check says must not hold them either.
	for _, c := range []struct{ members, finish string }{
		{`"content":` + quoted(m), "length"},
		{`"content":` + quoted(m) + `,"refusal":` + quoted(m), "stop"},
		{`"content":` + quoted(m), "content_filter"},
		{`"content":null,"tool_calls":[{"function":{"name":` + quoted(m) + `}}]`, "tool_calls"},
	} {
		_, got, err := chatOnce(t, s, reply{body: s.Chat.Message(c.members, c.finish)})
		if err != nil {
			t.Fatal(err)
		}
		transporttest.AssertNoLeak(t, m, got.Check())
	}
	_, got, err := chatOnce(t, s, reply{body: s.Chat.Answer(quoted(said), m)})
	checkNote(t, m, got.Notes[0].String(), err)
}

func checkNote(t *testing.T, m, note string, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	transporttest.AssertNoMarker(t, m, "note", note)
}
