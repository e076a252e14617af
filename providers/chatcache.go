package providers

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/ironflow/ironflow/providers/cache"
)

// keptAnswer is what the cache holds of an answer.
type keptAnswer struct {
	Text   string `json:"text"`
	Model  string `json:"model,omitempty"`
	Format string `json:"format"`
	Usage  *Usage `json:"usage,omitempty"`
}

// chatCached answers a job from its folder, or sends it and keeps the answer
// if it is complete and the whole question was read.
func (s *Set) chatCached(ctx context.Context, job ChatJob, chatter Chatter) (*ChatResult, error) {
	dir, err := s.cacheDir(job.CacheDir, cache.Answers)
	if err != nil {
		return nil, err
	}
	key := chatKey(job, chatter.Address())
	if out := kept(dir, key, job, s.opt.Clock); out != nil {
		return out, nil
	}
	out, err := s.chat(ctx, job, chatter)
	if err != nil || out.Finish != FinishStop || out.Check() != nil || wasCut(out.Notes) || job.Keep != nil && !job.Keep(out) {
		return out, err
	}
	content, err := json.Marshal(keptAnswer{out.Text, out.ReportedModel, out.FormatUsed, out.Usage})
	if err == nil {
		err = dir.Put(key, content, s.opt.Clock.Now())
	}
	if err == nil {
		err = dir.Trim(job.CacheMaxBytes, s.opt.Clock.Now())
	}
	if err != nil {
		out.Notes = addNotes(out.Notes, []Note{{Code: NoteCacheWrite, Detail: fmt.Sprintf("the answer was not kept in cache_dir %q: %v", job.CacheDir, err)}})
	}
	return out, nil
}

// kept returns the answer of the cache, nil when there is none.
func kept(dir *cache.Dir, key cache.Key, job ChatJob, clock Clock) *ChatResult {
	content, ok := dir.Get(key, clock.Now())
	if !ok {
		return nil
	}
	var a keptAnswer
	if json.Unmarshal(content, &a) != nil || a.Text == "" {
		return nil
	}
	return &ChatResult{Text: a.Text, Finish: FinishStop, Model: job.Model, ReportedModel: a.Model, Usage: a.Usage, Cached: true, FormatUsed: a.Format}
}

// chatKey names the answer to a job: it is hashed from all that the answer
// depends on. The time limit and the number of retries do not belong to it.
func chatKey(job ChatJob, address string) cache.Key {
	temperature := "none"
	if job.Temperature != nil {
		temperature = strconv.FormatFloat(*job.Temperature, 'g', -1, 64)
	}
	parts := []string{
		"chat", job.Provider, address, job.Model, strconv.Itoa(job.MaxTokens), job.MaxTokensField, temperature,
		job.FormatMode, job.Format.Kind, job.Format.Name, string(job.Format.Schema), job.CacheSalt,
	}
	for _, m := range job.Messages {
		parts = append(parts, m.Role, m.Content)
	}
	return cache.NewKey(parts...)
}
