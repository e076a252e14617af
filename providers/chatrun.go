package providers

import (
	"context"
	"fmt"
)

// CallError is a call of a model that failed.
type CallError struct {
	Model    string
	Attempts int // requests made
	Err      error
}

// Error names the model and the cause.
func (e *CallError) Error() string {
	attempts := ""
	if e.Attempts > 1 {
		attempts = fmt.Sprintf(" after %d attempts", e.Attempts)
	}
	return fmt.Sprintf("asking the model %q failed%s: %v", e.Model, attempts, e.Err)
}

// Format prints the same text for every verb and flag.
func (e *CallError) Format(f fmt.State, verb rune) { formatError(f, verb, e) }

// Unwrap returns the cause.
func (e *CallError) Unwrap() error { return e.Err }

// Chat asks a model. Errors are a *[CallError] around an *[Error] once a
// request was made, else an *[Error] of KindConfig or KindInput. An answer that
// is cut, refused or empty is a result, whose Check says so.
func (s *Set) Chat(ctx context.Context, job ChatJob) (*ChatResult, error) {
	job, err := job.withDefaults()
	if err != nil {
		return nil, err
	}
	chatter, job, err := s.openChatter(job)
	if err != nil {
		return nil, err
	}
	if job.CacheDir != "" {
		return s.chatCached(ctx, job, chatter)
	}
	return s.chat(ctx, job, chatter)
}

// CheckChat is the preflight of a job: [Set.Check], and that the vendor can
// chat and has a model. An empty model stands for the vendor's default.
func (s *Set) CheckChat(vendor string, params map[string]any, model string) error {
	_, _, err := s.openChatter(ChatJob{Provider: vendor, Params: params, Model: model})
	return err
}

// openChatter opens the vendor of a job and fills in its default model.
func (s *Set) openChatter(job ChatJob) (Chatter, ChatJob, error) {
	v, ok := s.byName[job.Provider]
	if !ok || !v.Chats {
		if job.Provider == "" {
			return nil, job, configError("no provider is named: set provider to one of %s", quoted(s.chatNames()))
		}
		if ok {
			return nil, job, configError("provider %q has no models that chat, allowed are %s", job.Provider, quoted(s.chatNames()))
		}
		return nil, job, configError("provider %q is not known, allowed are %s", job.Provider, quoted(s.chatNames()))
	}
	p, v, err := s.open(job.Provider, job.Params)
	if err != nil {
		return nil, job, err
	}
	chatter, ok := p.(Chatter)
	if !ok {
		return nil, job, configError("provider %q has no models that chat, allowed are %s", job.Provider, quoted(s.chatNames()))
	}
	if job.Model == "" {
		job.Model = v.ChatModel
	}
	if job.Model == "" {
		return nil, job, configError("provider %q has no default chat model: set model", job.Provider)
	}
	return chatter, job, nil
}

// chatNames are the vendors that can chat, sorted.
func (s *Set) chatNames() []string {
	var names []string
	for _, name := range s.Names() {
		if s.byName[name].Chats {
			names = append(names, name)
		}
	}
	return names
}

// chat sends a job, with retries, and asks for less of the form of the answer
// while the server refuses it and the job leaves that open.
func (s *Set) chat(ctx context.Context, job ChatJob, chatter Chatter) (*ChatResult, error) {
	out := &ChatResult{Model: job.Model}
	place := formatPlace{job.Provider, chatter.Address(), job.Model}
	for {
		level := s.formatLevel(job, place)
		req := job.request(level)
		var answer *ChatAnswer
		attempts, err := withRetries(ctx, s.opt.Clock, job.Retries, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, job.Timeout)
			defer cancel()
			var err error
			answer, err = chatter.Chat(ctx, req)
			return err
		})
		out.Calls += attempts
		out.Retries += attempts - 1
		if err == nil {
			out.take(answer, level)
			out.Notes = addNotes(out.Notes, chatCut(job.Messages, out.Usage))
			return out, nil
		}
		e := asError(err)
		if e == nil || !e.FormatRefused || job.FormatMode != ModeAuto || level == ModeNone {
			return nil, &CallError{Model: job.Model, Attempts: out.Calls, Err: err}
		}
		out.Notes = addNotes(out.Notes, []Note{s.refuseFormat(place, level)})
	}
}

// take fills in what the answer says.
func (r *ChatResult) take(a *ChatAnswer, level string) {
	r.Text, r.Finish, r.Refusal = a.Text, a.Finish, a.Refusal
	r.ReportedModel, r.Usage, r.FormatUsed = a.Model, a.Usage, level
	r.Notes = addNotes(r.Notes, a.Notes)
}

// request is the question with the form at a level.
func (j *ChatJob) request(level string) *ChatRequest {
	req := &ChatRequest{
		Model: j.Model, Messages: j.Messages, MaxTokens: j.MaxTokens, MaxTokensField: j.MaxTokensField, Temperature: j.Temperature,
	}
	switch level {
	case ModeJSONSchema:
		req.Format = j.Format
	case ModeJSONObject:
		req.Format.Kind = FormatJSONObject
	}
	return req
}
