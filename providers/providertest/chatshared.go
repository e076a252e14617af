package providertest

import (
	"sync"
	"testing"
)

// sharedHarness is a harness whose answer can be changed, for tests that need
// hundreds of answers.
type sharedHarness struct {
	*harness
	mu  sync.Mutex
	rep reply
}

func newShared(t *testing.T, s Subject) *sharedHarness {
	t.Helper()
	h := &sharedHarness{}
	h.harness = newHarness(t, s, func(Request) reply {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.rep
	})
	return h
}

// answer changes the answer.
func (h *sharedHarness) answer(rep reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rep = rep
}
