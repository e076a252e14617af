package providertest

import (
	"context"
	"sync"
	"time"
)

// Clock is a clock that does not sleep: it notes each wait and moves on by it.
// It starts at the present, so that deadlines of contexts can be compared.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	sleeps []time.Duration
	// OnSleep, when set, runs at the start of each wait.
	OnSleep func()
}

// NewClock returns a clock that stands at the present, in whole seconds.
func NewClock() *Clock { return &Clock{now: time.Now().Truncate(time.Second)} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Sleep notes the wait and returns at once.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.sleeps = append(c.sleeps, d)
	c.now = c.now.Add(d)
	hook := c.OnSleep
	c.mu.Unlock()
	if hook != nil {
		hook()
	}
	return ctx.Err()
}

// Sleeps returns the waits so far.
func (c *Clock) Sleeps() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.sleeps...)
}
