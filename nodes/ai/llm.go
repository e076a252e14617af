package ai

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
)

const llmDoc = `Sends ` + "`prompt`" + `, or a whole conversation as ` + "`messages`" + `, and publishes what the model answers. ` + "`system`" + ` stands before
either.

With ` + "`response_schema`" + ` the answer is JSON. The server is asked to keep to the schema, the schema is also put before the
messages (except with ` + "`response_format=\"json_schema\"`" + `, which trusts the server), and the answer is checked here: servers were
seen to take a schema and to follow a part of it or nothing. A Markdown fence around the whole answer and a leading
` + "`<think>`" + ` block are removed. Schemas are those of draft 2020-12, or with ` + "`$schema`" + ` of draft 07; references reach no further than
the schema itself, ` + "`format`" + ` is not checked, and ` + "`pattern`" + ` takes the expressions of RE2.

An answer that is cut at the limit on tokens, refused, filtered, empty, no JSON or no fit for the schema is an error, and
nothing is published. The error says which, and shows nothing of the answer. Servers that stream although they were not
asked to are read to their end mark; a stream that is cut is asked for again.

The temperature is 0 unless it is set, and 0 is really sent. Models that take no temperature need ` + "`send_temperature=false`" + `.`

func llmNode(vendors []providers.Vendor) nodes.Node {
	c := newChatter(vendors, false)
	params := []nodes.Param{
		{Name: "prompt", Type: nodes.String, Interpolate: true, NonEmpty: true,
			Help: "what the model is asked"},
		{Name: "messages", Type: nodes.Array, Interpolate: true, NonEmpty: true,
			Help: "the conversation so far, in order: objects with role (system, user or assistant) and content (text, or data, which is sent as JSON)",
			Elem: &nodes.Param{Type: nodes.Object, Help: "one message", Fields: []nodes.Param{
				{Name: "role", Type: nodes.String, Required: true, Enum: []string{providers.RoleSystem, providers.RoleUser, providers.RoleAssistant},
					Help: "who speaks"},
				{Name: "content", Type: nodes.Any, Interpolate: true, Required: true, Help: "what is said: text, or data, which is sent as JSON"},
			}}},
		{Name: "system", Type: nodes.String, Interpolate: true, NonEmpty: true,
			Help: "what holds for the whole conversation, as its first message"},
		{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "llm",
			Help: "start of the published keys"},
		{Name: "response_schema", Type: nodes.Object, NonEmpty: true,
			Help: "JSON Schema that the answer must fit; it is then published as data"},
		{Name: "max_tokens", Type: nodes.Integer, Range: nodes.Between(1, providers.MaxChatTokens), Unit: "tokens",
			Help: "the answer, reasoning included, may be this long; without it, what the server allows"},
	}
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "llm",
			Summary: "Ask a language model, and check the form of its answer",
			Doc:     llmDoc,
			Params:  append(params, c.params()...),
			Choices: []nodes.Choice{{Params: []string{"prompt", "messages"}, Required: true}},
			Outputs: []nodes.OutputSpec{
				{Suffix: "_text", Type: nodes.String, Help: "the answer, without a leading block of reasoning"},
				{Suffix: "_json", Type: nodes.Any, Help: "the answer as data when JSON was asked for; else absent"},
				{Suffix: "_model", Type: nodes.String, Help: "the model that was asked"},
				{Suffix: "_usage", Type: nodes.Object, Help: "`{input_tokens, output_tokens, total_tokens}` when the provider says; else absent"},
				{Suffix: "_finish_reason", Type: nodes.String, Help: "`stop`, or `other` or empty when the server gave a reason that is not known, or none"},
			},
			Examples: []nodes.Example{{
				Title: "Sum up a document with a local Ollama",
				Lua: `nodes.llm{
  provider = "ollama",
  model = "llama3.2",
  system = "You answer in one sentence.",
  prompt = "What is this text about?\n\n${ctx.document}",
  max_tokens = 200,
}`,
				Context: `{"document":"The kettle hums. Rain fell on the harbour."}`,
				Needs:   "provider",
			}, {
				Title: "Data instead of prose, checked against a schema",
				Lua: `nodes.llm{
  provider = "openai",
  output_key = "order",
  prompt = "Read the order: ${ctx.mail}",
  response_schema = {
    type = "object",
    properties = {
      article = { type = "string" },
      pieces = { type = "integer", minimum = 1 },
    },
    required = { "article", "pieces" },
    additionalProperties = false,
  },
}`,
				Context: `{"mail":"Please send us twelve kettles."}`,
				Needs:   "provider",
			}},
		},
		Run: func(ctx context.Context, call *nodes.Call) (nodes.Output, error) { return runLLM(ctx, call, c) },
	}
}

func runLLM(ctx context.Context, call *nodes.Call, c *chatter) (nodes.Output, error) {
	q, err := newQuestion(call)
	if err != nil {
		return nil, err
	}
	job, err := c.job(call)
	if err != nil {
		return nil, err
	}
	job.Messages, job.Format, job.MaxTokens = q.messages, q.format, call.Int("max_tokens")
	if q.wantsJSON() {
		// An answer that does not fit is not kept: another attempt may do better.
		job.Keep = func(r *providers.ChatResult) bool {
			_, _, err := q.read(r.Text)
			return err == nil
		}
	}
	result, err := call.Env().Providers.Chat(ctx, job)
	if err != nil {
		return nil, err
	}
	for _, n := range result.Notes {
		call.Env().Log.Warn(n.String(), "provider", job.Provider)
	}
	err = result.Check()
	var text string
	var data any
	if err == nil {
		text, data, err = q.read(result.Text)
	}
	if err != nil {
		return nil, noAnswer(job.Provider, result.Model, err)
	}
	out := nodes.Output{"_text": text, "_model": result.Model, "_finish_reason": string(result.Finish)}
	if q.wantsJSON() {
		out["_json"] = data
	}
	if u := result.Usage; u != nil {
		out["_usage"] = map[string]any{"input_tokens": u.InputTokens, "output_tokens": u.OutputTokens, "total_tokens": u.TotalTokens}
	}
	return out, nil
}

// noAnswer is the error for an answer that cannot be used; why shows nothing of
// it.
func noAnswer(provider, model string, why error) error {
	e := &providers.Error{Kind: providers.KindAnswer, Detail: why.Error(), Err: why}
	var incomplete *providers.Error
	if errors.As(why, &incomplete) {
		c := *incomplete
		e = &c
	}
	e.Provider = provider
	return &providers.CallError{Model: model, Err: e}
}

// question is what a call asks, and how the answer is read.
type question struct {
	messages []providers.Message
	format   providers.ResponseFormat
	schema   *answerSchema // nil: any JSON, or text
}

func (q *question) wantsJSON() bool { return q.format.Kind != providers.FormatText }

func newQuestion(call *nodes.Call) (*question, error) {
	q := &question{}
	for _, name := range []string{"system", "prompt"} {
		if !call.Has(name) {
			continue
		}
		text := call.String(name)
		if strings.TrimSpace(text) == "" {
			return nil, call.Errorf(name, "is empty, or white space alone, once its placeholders are filled in")
		}
		role := providers.RoleUser
		if name == "system" {
			role = providers.RoleSystem
		}
		q.messages = append(q.messages, providers.Message{Role: role, Content: text})
	}
	for i, m := range call.Array("messages") {
		m, _ := m.(map[string]any)
		role, _ := m["role"].(string)
		content, err := messageText(m["content"])
		if err != nil {
			return nil, call.Errorf("messages", "the content of message %d: %w", i+1, err)
		}
		if strings.TrimSpace(content) == "" {
			return nil, call.Errorf("messages", "the content of message %d is empty, or white space alone, once its placeholders are filled in", i+1)
		}
		q.messages = append(q.messages, providers.Message{Role: role, Content: content})
	}
	mode := call.String("response_format")
	switch schema := call.Object("response_schema"); {
	case schema != nil:
		var err error
		if q.schema, err = newAnswerSchema(schema); err != nil {
			return nil, call.Errorf("response_schema", "%w", err)
		}
		q.format = providers.ResponseFormat{Kind: providers.FormatJSONSchema, Schema: q.schema.text}
	case mode == providers.ModeJSONObject:
		q.format = providers.ResponseFormat{Kind: providers.FormatJSONObject}
	case mode == providers.ModeJSONSchema:
		return nil, call.Errorf("response_format", "is %q, but there is no schema: set response_schema", mode)
	}
	if q.wantsJSON() && mode != providers.ModeJSONSchema {
		q.instruct()
	}
	return q, nil
}

// messageText is a content as a placeholder within a longer text would show it:
// a content that is one placeholder alone arrives as the value itself.
func messageText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case nil:
		return "", nil
	}
	text, err := value.Marshal(v)
	return string(text), err
}

// instruct says in words what form the answer is to have, for servers that do
// not enforce it. OpenAI takes json_object only when the messages say JSON.
func (q *question) instruct() {
	text := "Answer with one JSON document and nothing else: no text around it, no Markdown."
	if q.schema != nil {
		text += " It must be valid under this JSON Schema:\n" + string(q.schema.text)
	}
	if q.messages[0].Role == providers.RoleSystem {
		q.messages[0].Content += "\n\n" + text
		return
	}
	q.messages = slices.Insert(q.messages, 0, providers.Message{Role: providers.RoleSystem, Content: text})
}

// read returns the text of an answer and, where JSON was asked for, its data.
// Errors show nothing of the answer.
func (q *question) read(answer string) (text string, data any, err error) {
	text, err = withoutThinking(answer)
	if err != nil || !q.wantsJSON() {
		return text, nil, err
	}
	data, err = parseAnswer(text)
	if err != nil {
		return "", nil, fmt.Errorf("%w: use a model that follows instructions better, or a server that enforces response_schema", err)
	}
	if q.schema != nil {
		err = q.schema.check(data)
	}
	return text, data, err
}
