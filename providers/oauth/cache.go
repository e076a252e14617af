package oauth

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

const (
	maxTokens = 128
	// maxLeeway is how much life must be left for a token to be used again.
	maxLeeway = 60 * time.Second
)

// tokenKey says whom a token was given to and where it may go. The secret is
// kept as its SHA-256. The origin of the API is part of the key, so a token
// never travels to another server than the one it was fetched for.
type tokenKey struct {
	tokenURL, clientID string
	secret             [32]byte
	scope, style       string
	origin             string
}

// token is an access token with the moment from which it is not used again.
type token struct {
	value  transport.Secret
	usable time.Time
}

// newToken makes a token that was asked for at sent. It is used while more
// than 60 s, or a quarter of its life if that is shorter, remain: a token that
// lives for five seconds is not fetched anew for each call.
func newToken(value string, life time.Duration, sent time.Time) *token {
	return &token{value: transport.NewSecret(value), usable: sent.Add(life - min(maxLeeway, life/4))}
}

// tokenCache keeps up to 128 tokens, those used last, and makes one fetch for
// any number of callers that wait for the same one.
type tokenCache struct {
	mu      sync.Mutex
	entries map[tokenKey]*list.Element
	recent  *list.List // of *entry, last used first
	flights map[tokenKey]*flight
}

type entry struct {
	key   tokenKey
	token *token
}

// flight is a fetch under way. token and err are set before done is closed.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int // guarded by the cache's mutex
	token   *token
	err     error
}

func newTokenCache() *tokenCache {
	return &tokenCache{
		entries: map[tokenKey]*list.Element{},
		recent:  list.New(),
		flights: map[tokenKey]*flight{},
	}
}

type fetchFunc func(context.Context) (*token, error)

// get returns a usable token: the cached one, or that of a fetch which all
// callers with the same key share, its failure included. Each caller leaves
// when its own context is done; the fetch goes on for the others, and ends when
// nobody waits for it.
func (c *tokenCache) get(ctx context.Context, key tokenKey, vendor string, clock providers.Clock, fetch fetchFunc) (*token, error) {
	c.mu.Lock()
	if t := c.cached(key, clock.Now()); t != nil {
		c.mu.Unlock()
		return t, nil
	}
	f := c.flights[key]
	if f == nil {
		f = c.start(ctx, key, fetch)
	}
	f.waiters++
	c.mu.Unlock()

	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		c.leave(key, f)
		return nil, providers.TransportError(ctx, vendor, ctx.Err())
	}
}

// start begins a fetch. The mutex is held.
func (c *tokenCache) start(ctx context.Context, key tokenKey, fetch fetchFunc) *flight {
	// The fetch serves others than the caller that happened to be first.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	f := &flight{done: make(chan struct{}), cancel: cancel}
	c.flights[key] = f
	go func() {
		defer cancel()
		f.token, f.err = fetch(ctx)
		c.mu.Lock()
		if c.flights[key] == f {
			delete(c.flights, key)
			if f.err == nil {
				c.store(key, f.token)
			}
		}
		c.mu.Unlock()
		close(f.done)
	}()
	return f
}

// leave takes one caller out of a fetch, and ends the fetch after the last.
func (c *tokenCache) leave(key tokenKey, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiters--
	if f.waiters == 0 {
		f.cancel()
		if c.flights[key] == f {
			delete(c.flights, key)
		}
	}
}

// cached returns a token that is still usable. The mutex is held.
func (c *tokenCache) cached(key tokenKey, now time.Time) *token {
	el := c.entries[key]
	if el == nil {
		return nil
	}
	t := el.Value.(*entry).token
	if !now.Before(t.usable) {
		c.remove(el)
		return nil
	}
	c.recent.MoveToFront(el)
	return t
}

// store keeps a token and drops the one used longest ago when there are too
// many. The mutex is held.
func (c *tokenCache) store(key tokenKey, t *token) {
	if el := c.entries[key]; el != nil {
		c.remove(el)
	}
	c.entries[key] = c.recent.PushFront(&entry{key, t})
	if c.recent.Len() > maxTokens {
		c.remove(c.recent.Back())
	}
}

func (c *tokenCache) remove(el *list.Element) {
	delete(c.entries, c.recent.Remove(el).(*entry).key)
}

// drop removes a token that the API refused, unless another has taken its
// place.
func (c *tokenCache) drop(key tokenKey, t *token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.entries[key]; el != nil && el.Value.(*entry).token == t {
		c.remove(el)
	}
}
