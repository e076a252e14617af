package providertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// testChatContent checks the forms in which a text may come.
func testChatContent(t *testing.T, s Subject) {
	for _, c := range []struct{ name, content, want string }{
		{"text", quoted(said), said},
		{"escapes", `"a\u00e9\n\t\"\\\/\ud83d\ude00\u0000"`, "aé\n\t\"\\/😀\x00"},
		{"raw UTF-8", `"日本 😀"`, "日本 😀"},
		{"white space kept", `"  x \n\n"`, "  x \n\n"},
		{"parts", `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`, "ab"},
		{"parts of other sorts", `[{"type":"thinking","thinking":[{"type":"text","text":"no"}]},{"type":"reasoning","text":"no"},{"text":"yes","type":"output_text"}]`, "yes"},
		{"part without a type", `[{"text":"a"}]`, "a"},
		{"parts as texts", `["a","b"]`, "ab"},
		{"JSON in a text", `"{\"a\":[1,2]}"`, `{"a":[1,2]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, err := chatOnce(t, s, reply{body: s.Chat.Answer(c.content, "stop")})
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != c.want || got.Check() != nil {
				t.Errorf("text %q, %v; want %q", got.Text, got.Check(), c.want)
			}
		})
	}
	t.Run("reasoning beside it", func(t *testing.T) {
		members := `"role":"assistant","reasoning_content":"no","reasoning":"no","thinking":"no","content":"yes","tool_calls":[],"refusal":null`
		_, got, err := chatOnce(t, s, reply{body: s.Chat.Message(members, "stop")})
		if err != nil || got.Text != "yes" || got.Check() != nil {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("5 MB", func(t *testing.T) {
		long := strings.Repeat(said, 5<<20/len(said))
		_, got, err := chatOnce(t, s, reply{body: s.Chat.Answer(quoted(long), "stop")})
		if err != nil || got.Text != long {
			t.Errorf("%v", err)
		}
	})
	t.Run("odd model name", func(t *testing.T) {
		_, got, err := chatOnce(t, s, reply{body: strings.Replace(s.Chat.Answer(quoted(said), "stop"), "m-1", "<b>", 1)})
		checkSaid(t, got, err)
		if got.ReportedModel != "" {
			t.Errorf("model %q", got.ReportedModel)
		}
	})
}

// testFinishReasons checks the words of many servers.
func testFinishReasons(t *testing.T, s Subject) {
	for want, words := range map[providers.FinishReason][]string{
		providers.FinishStop:    {"stop", "STOP", "end_turn", "stop_sequence", "eos_token"},
		providers.FinishLength:  {"length", "LENGTH", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens"},
		providers.FinishFilter:  {"content_filter", "SAFETY", "RECITATION", "blocklist", "guardrail_intervened"},
		providers.FinishTools:   {"tool_calls", "tool_use", "function_call"},
		providers.FinishLoad:    {"load", "unload"},
		providers.FinishUnknown: {""},
		providers.FinishOther:   {"phase_of_the_moon"},
	} {
		for _, word := range words {
			for _, content := range []string{quoted(said), `""`} {
				t.Run(word+" "+content, func(t *testing.T) {
					_, got, err := chatOnce(t, s, reply{body: s.Chat.Answer(content, word)})
					if err != nil {
						t.Fatal(err)
					}
					expect := want
					complete := want == providers.FinishStop || want == providers.FinishUnknown || want == providers.FinishOther
					if complete && content == `""` {
						expect, complete = providers.FinishEmpty, false
					}
					if got.Finish != expect || (got.Check() == nil) != complete {
						t.Errorf("finish %q, check %v; want %q, complete %v", got.Finish, got.Check(), expect, complete)
					}
					if noted := len(got.Notes) == 1; noted != (expect == providers.FinishOther) {
						t.Errorf("notes %v", got.Notes)
					}
				})
			}
		}
	}
	for _, word := range []string{"error", "abort", "insufficient_system_resource"} {
		h, got, err := chatOnce(t, s, reply{body: s.Chat.Answer(quoted(said), word)})
		mustFail(t, got, err, providers.KindAnswer)
		if len(h.seen()) != 3 {
			t.Errorf("%s: %d requests, want 3: such a failure may pass", word, len(h.seen()))
		}
	}
}

// testNothingSaid checks that no answer without a word is a success.
func testNothingSaid(t *testing.T, s Subject) {
	for _, c := range []struct {
		name, members, finish string
		want                  providers.FinishReason
		refusal               bool
		says                  string
	}{
		{"empty", `"content":""`, "stop", providers.FinishEmpty, false, "is empty"},
		{"white space", `"content":" \n\t\u00a0"`, "stop", providers.FinishEmpty, false, "is empty"},
		{"null", `"content":null`, "stop", providers.FinishEmpty, false, "is empty"},
		{"no content", `"role":"assistant"`, "stop", providers.FinishEmpty, false, "is empty"},
		{"no parts", `"content":[]`, "stop", providers.FinishEmpty, false, "is empty"},
		{"reasoning alone", `"content":"","reasoning_content":"hm","thinking":"hm"`, "stop", providers.FinishEmpty, false, "is empty"},
		{"all spent on reasoning", `"content":"","reasoning_content":"hm","thinking":"hm"`, "length", providers.FinishLength, false, "before the answer began"},
		{"cut", `"content":"The ti"`, "length", providers.FinishLength, false, "was cut"},
		{"refusal", `"content":null,"refusal":"I cannot"`, "stop", providers.FinishStop, true, "refused"},
		{"refusal as a part", `"content":[{"type":"refusal","refusal":"I cannot"}]`, "stop", providers.FinishStop, true, "refused"},
		{"refusal as a reason", `"content":"I"`, "refusal", providers.FinishFilter, true, "refused"},
		{"filter", `"content":"The"`, "content_filter", providers.FinishFilter, false, "content filter"},
		{"tool", `"content":null,"tool_calls":[{"id":"1","function":{"name":"x","arguments":"{}"}}]`, "tool_calls", providers.FinishTools, false, "tool"},
		{"tool that ends with stop", `"content":"","tool_calls":[{"function":{"name":"x"}}]`, "stop", providers.FinishTools, false, "tool"},
		{"load", `"content":""`, "load", providers.FinishLoad, false, "answered nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, got, err := chatOnce(t, s, reply{body: s.Chat.Message(c.members, c.finish)})
			if err != nil {
				t.Fatal(err)
			}
			if got.Finish != c.want || got.Refusal != c.refusal {
				t.Errorf("finish %q, refusal %v; want %q, %v", got.Finish, got.Refusal, c.want, c.refusal)
			}
			mustSay(t, got.Check(), c.says)
			if n := len(h.seen()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

func testBadChatAnswers(t *testing.T, s Subject) {
	fine := s.Chat.Answer(quoted(said), "stop")
	for _, c := range []struct{ name, body, says string }{
		{"nothing", "", "ends too early"},
		{"white space", " \n", "ends too early"},
		{"HTML", "<!DOCTYPE html><html></html>", "a web page answers"},
		{"empty object", "{}", "another kind of API"},
		{"array", "[" + fine + "]", "not valid JSON"},
		{"null document", "null", "not valid JSON"},
		{"text", `"ok"`, "not valid JSON"},
		{"trailing garbage", fine + "x", ""},
		{"two answers", fine + fine, ""},
		{"an embedding", `{"data":[{"index":0,"embedding":[1]}],"embeddings":[[1]]}`, "another kind of API"},
		{"content is a number", s.Chat.Answer("5", "stop"), "content is not a text"},
		{"content is an object", s.Chat.Answer(`{"text":"x"}`, "stop"), "content is not a text"},
		{"content is true", s.Chat.Answer("true", "stop"), "content is not a text"},
		{"part is a number", s.Chat.Answer("[5]", "stop"), "part of the content"},
		{"two contents", s.Chat.Message(`"content":"a","content":"b"`, "stop"), "content twice"},
		{"content in another case", s.Chat.Message(`"Content":5,"content":7`, "stop"), "content is not a text"},
		{"stray control byte", s.Chat.Answer("\"\x01\"", "stop"), "not valid JSON"},
		{"bad escape", s.Chat.Answer(`"\x"`, "stop"), "not valid JSON"},
		{"broken UTF-8", s.Chat.Answer("\"\xff\"", "stop"), "not valid UTF-8"},
		{"deep nesting", strings.Replace(fine, "{", `{"x":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+",", 1), "nested too deeply"},
		{"byte order mark", "\ufeff" + fine, "not valid JSON"},
		{"cut in the middle", fine[:len(fine)/2], "ends too early"},
		{"cut at the last byte", fine[:len(fine)-1], "ends too early"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, got, err := chatOnce(t, s, reply{body: c.body})
			mustFail(t, got, err, providers.KindAnswer)
			mustSay(t, err, c.says, "the answer is not usable", `asking the model "m" failed`, "provider "+s.Vendor().Name, "http://127.0.0.1:")
			if n := len(h.seen()); n != 1 {
				t.Errorf("%d requests, want 1: such an answer is not asked for again", n)
			}
		})
	}
	t.Run("fine with what does not matter", func(t *testing.T) {
		_, got, err := chatOnce(t, s, reply{body: " " + strings.Replace(fine, "{", `{"error":null,"x":{"y":[1e5,-0.5E-3,"\u00e9\"",true,false,null,{}]},`, 1) + "\r\n\t"})
		checkSaid(t, got, err)
	})
	t.Run("no usage", func(t *testing.T) {
		_, got, err := chatOnce(t, s, reply{body: strings.NewReplacer("prompt", "x", "completion_tokens", "y", "eval_count", "z", "total_tokens", "w").Replace(fine)})
		checkSaid(t, got, err)
		if got.Usage != nil {
			t.Errorf("usage %+v", got.Usage)
		}
	})
}

// testErrorsIn200 checks errors that come with a status of success.
func testErrorsIn200(t *testing.T, s Subject) {
	for _, c := range []struct {
		name, body string
		requests   int
		says       string
	}{
		{"text", `{"error":"an error was encountered while running the model: unexpected EOF"}`, 3, "reports an error"},
		{"object", `{"error":{"message":"Provider returned error","code":502}}`, 3, "reports an error"},
		{"beside an answer", strings.Replace(s.Chat.Answer(quoted(said), "stop"), "{", `{"error":{"code":"server_error"},`, 1), 3, "(server_error)"},
		{"quota", `{"error":{"code":"insufficient_quota"}}`, 1, "quota is used up"},
		{"too long", `{"error":"the input length exceeds the context length"}`, 1, "messages are too long"},
		{"bad schema", `{"error":"invalid JSON schema in format"}`, 1, "reports an error"},
		{"not a chat model", `{"error":"\"all-minilm\" does not support chat"}`, 1, "name a chat model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, got, err := chatOnce(t, s, reply{body: c.body})
			mustFail(t, got, err, providers.KindAnswer)
			mustSay(t, err, c.says, "its status says success")
			if n := len(h.seen()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
			if c.requests > 1 {
				mustSay(t, err, fmt.Sprintf("after %d attempts", c.requests))
			}
		})
	}
}
