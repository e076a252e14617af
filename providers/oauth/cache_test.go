package oauth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/providertest"
)

// waiting returns how many callers wait for the fetch of a key.
func (c *tokenCache) waiting(key tokenKey) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[key]; f != nil {
		return f.waiters
	}
	return 0
}

// await returns when done reports true, or fails the test after 10 s.
func await(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Error("waited for 10 s in vain")
			return
		}
	}
}

// together runs n callers against one key; the fetch answers only when all of
// them wait.
func together(t *testing.T, n int, result *token, failure error) (fetches int64, tokens []*token, errs []error) {
	t.Helper()
	c, key := newTokenCache(), tokenKey{clientID: "id"}
	var count atomic.Int64
	fetch := func(context.Context) (*token, error) {
		count.Add(1)
		await(t, func() bool { return c.waiting(key) >= n })
		return result, failure
	}
	tokens, errs = make([]*token, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { tokens[i], errs[i] = c.get(t.Context(), key, "oauth", providers.SystemClock(), fetch) })
	}
	wg.Wait()
	return count.Load(), tokens, errs
}

func TestOneFetchForAll(t *testing.T) {
	tok := newToken("t", time.Hour, time.Now())
	fetches, tokens, errs := together(t, 32, tok, nil)
	if fetches != 1 {
		t.Errorf("%d fetches for 32 callers, want 1", fetches)
	}
	for i := range tokens {
		if tokens[i] != tok || errs[i] != nil {
			t.Errorf("caller %d got %v, %v", i, tokens[i], errs[i])
		}
	}
}

func TestOneFailureForAll(t *testing.T) {
	failure := errors.New("refused")
	fetches, tokens, errs := together(t, 32, nil, failure)
	if fetches != 1 {
		t.Errorf("%d fetches for 32 callers, want 1", fetches)
	}
	for i := range tokens {
		if tokens[i] != nil || !errors.Is(errs[i], failure) {
			t.Errorf("caller %d got %v, %v", i, tokens[i], errs[i])
		}
	}
}

// TestLeaving checks that each caller leaves at its own deadline, that the
// fetch goes on for the others, and that it ends after the last one.
func TestLeaving(t *testing.T) {
	c, key := newTokenCache(), tokenKey{}
	release, ended := make(chan struct{}), make(chan error, 1)
	tok := newToken("t", time.Hour, time.Now())
	fetch := func(ctx context.Context) (*token, error) {
		select {
		case <-release:
			return tok, nil
		case <-ctx.Done():
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
	}
	short, cancelShort := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancelShort()
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := c.get(short, key, "oauth", providers.SystemClock(), fetch)
		var pe *providers.Error
		if !errors.As(err, &pe) || pe.Kind != providers.KindTimeout {
			t.Errorf("the impatient caller got %v", err)
		}
	})
	await(t, func() bool { return c.waiting(key) == 1 })
	wg.Go(func() {
		if got, err := c.get(t.Context(), key, "oauth", providers.SystemClock(), fetch); got != tok || err != nil {
			t.Errorf("the patient caller got %v, %v", got, err)
		}
	})
	<-short.Done()
	await(t, func() bool { return c.waiting(key) == 1 })
	close(release)
	wg.Wait()

	// The first caller's context ended long ago; what it started still serves.
	if got, err := c.get(t.Context(), key, "oauth", providers.SystemClock(), nil); got != tok || err != nil {
		t.Errorf("cached: %v, %v", got, err)
	}

	other := tokenKey{clientID: "other"}
	release = make(chan struct{})
	alone, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := c.get(alone, other, "oauth", providers.SystemClock(), fetch)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Error("the fetch goes on although nobody waits")
	}
}

func TestReuse(t *testing.T) {
	for _, c := range []struct{ life, reused time.Duration }{
		{3600 * time.Second, 3540 * time.Second},
		{300 * time.Second, 240 * time.Second},
		{240 * time.Second, 180 * time.Second},
		{100 * time.Second, 75 * time.Second},
		{5 * time.Second, 3750 * time.Millisecond},
		{time.Second, 750 * time.Millisecond},
	} {
		cache, clock, fetches := newTokenCache(), providertest.NewClock(), 0
		get := func() {
			_, err := cache.get(t.Context(), tokenKey{}, "oauth", clock, func(context.Context) (*token, error) {
				fetches++
				return newToken("t", c.life, clock.Now()), nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		get()
		clock.Advance(c.reused - time.Millisecond)
		get()
		if fetches != 1 {
			t.Errorf("life %v: fetched anew before %v", c.life, c.reused)
		}
		clock.Advance(time.Millisecond)
		get()
		if fetches != 2 {
			t.Errorf("life %v: still used after %v", c.life, c.reused)
		}
	}
}

func TestCapacity(t *testing.T) {
	cache, clock, fetches := newTokenCache(), providertest.NewClock(), 0
	get := func(i int) {
		_, err := cache.get(t.Context(), tokenKey{clientID: fmt.Sprint(i)}, "oauth", clock, func(context.Context) (*token, error) {
			fetches++
			return newToken("t", time.Hour, clock.Now()), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range maxTokens {
		get(i)
	}
	get(0) // now 1 is the one used longest ago
	get(maxTokens)
	if n := len(cache.entries); n != maxTokens || cache.recent.Len() != maxTokens {
		t.Errorf("%d tokens, want %d", n, maxTokens)
	}
	before := fetches
	get(0)
	get(2)
	if fetches != before {
		t.Error("a token used lately was dropped")
	}
	get(1)
	if fetches != before+1 {
		t.Error("the token used longest ago was kept")
	}
}

func TestDrop(t *testing.T) {
	cache, clock := newTokenCache(), providertest.NewClock()
	first, second := newToken("1", time.Hour, clock.Now()), newToken("2", time.Hour, clock.Now())
	cache.store(tokenKey{}, first)
	cache.drop(tokenKey{}, second)
	if cache.cached(tokenKey{}, clock.Now()) != first {
		t.Error("another token was dropped")
	}
	cache.drop(tokenKey{}, first)
	if cache.cached(tokenKey{}, clock.Now()) != nil {
		t.Error("the token was kept")
	}
}
