package providertest

import (
	"encoding/json"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// chatParts are the parts of the suite about questions to models.
func chatParts() []part {
	return []part{
		{"request", testChatRequest},
		{"inputs", testChatInputs},
		{"content", testChatContent},
		{"finish reasons", testFinishReasons},
		{"nothing said", testNothingSaid},
		{"bad answers", testBadChatAnswers},
		{"errors in 200", testErrorsIn200},
		{"streams", testStreams},
		{"cut streams", testCutStreams},
		{"stream ends", testStreamEnds},
		{"forms", testForms},
		{"forms refused", testFormsRefused},
		{"real servers", testRealChatServers},
		{"statuses", testChatStatuses},
		{"retries", testChatRetries},
		{"time", testChatTime},
		{"body limit", testChatBodyLimit},
		{"connections", testChatConnections},
		{"cache", testChatCache},
		{"leaks", testChatLeaks},
		{"redirects", func(t *testing.T, s Subject) { redirects(t, s, chatAction(s)) }},
	}
}

// said is what the model of the suite says.
const said = `The tide "turns" — slowly.`

// quoted writes a text as JSON.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// chatJob is a job for the harness's server with a model named "m".
func (hs *harness) chatJob() providers.ChatJob {
	return providers.ChatJob{
		Provider: hs.sub.Vendor().Name,
		Params:   hs.sub.Params(hs.server.URL+hs.sub.Base, hs.server.URL+"/token"),
		Model:    "m",
		Messages: []providers.Message{{Role: providers.RoleUser, Content: "What does the tide do?"}},
	}
}

func (hs *harness) chat(job providers.ChatJob) (*providers.ChatResult, error) {
	hs.t.Helper()
	return hs.set.Chat(hs.t.Context(), job)
}

// goodChat answers every question properly.
func goodChat(s Subject) handler {
	return func(Request) reply { return reply{body: s.Chat.Answer(quoted(said), "stop")} }
}

// checkSaid fails unless the answer is the good one.
func checkSaid(t *testing.T, got *providers.ChatResult, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != said || got.Finish != providers.FinishStop || got.Refusal || got.Check() != nil {
		t.Fatalf("got %+v, %v; want the text %q", got, got.Check(), said)
	}
}

// chatOnce runs a job against one fixed reply.
func chatOnce(t *testing.T, s Subject, rep reply) (*harness, *providers.ChatResult, error) {
	t.Helper()
	h := newHarness(t, s, func(Request) reply { return rep })
	job := h.chatJob()
	job.Retries = 2
	got, err := h.chat(job)
	return h, got, err
}

func ptr[T any](v T) *T { return &v }
