package transport

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	tooLargeAdvice  detail = "raise IRONFLOW_MAX_HTTP_BODY_BYTES or ask for less"
	readAfterClose  detail = "the response body was read after it had been closed"
	drainBytes             = 64 << 10
	drainTime              = 50 * time.Millisecond
	maxBodySentinel        = int64(^uint64(0) >> 1)
)

// cappedBody hands out the decoded response body while it arrives. After limit
// bytes it fails instead of ending, a body that was cut fails with
// KindConnection, and every error is an *Error.
type cappedBody struct {
	rc     io.ReadCloser
	ctx    context.Context
	origin string
	limit  int64

	mu      sync.Mutex // guards the fields below; not held while reading rc
	left    int64
	err     error
	reading bool
	closed  bool
}

func newCappedBody(ctx context.Context, rc io.ReadCloser, limit int64, origin string) *cappedBody {
	return &cappedBody{rc: rc, ctx: ctx, origin: origin, limit: limit, left: limit}
}

func tooLarge(limit int64, origin string) *Error {
	return &Error{Kind: KindBodyTooLarge, Origin: origin, Limit: limit, detail: tooLargeAdvice}
}

// Read implements io.Reader. The bytes before the limit are handed out together
// with or before the error.
func (b *cappedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	if b.err != nil || len(p) == 0 {
		defer b.mu.Unlock()
		return 0, b.err
	}
	// One byte more than is left tells "exactly the limit" from "too long".
	if b.left < maxBodySentinel && int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	b.reading = true
	b.mu.Unlock()

	n, err := b.rc.Read(p)

	b.mu.Lock()
	defer b.mu.Unlock()
	b.reading = false
	if int64(n) > b.left {
		n = int(b.left)
		b.left = 0
		b.err = tooLarge(b.limit, b.origin)
		_ = b.rc.Close() // drops the connection: the rest is not wanted
		return n, b.err
	}
	b.left -= int64(n)
	if err != nil && b.err == nil {
		b.err = err
		if err != io.EOF {
			b.err = scrubAt(b.ctx, err, b.origin)
		}
	}
	return n, b.err
}

// Close implements io.Closer. A body that was not read to its end is drained a
// little first, because only a connection whose answer was read completely can
// be used again, and JSON decoders stop before the end.
func (b *cappedBody) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	drain := b.err == nil && !b.reading && b.ctx.Err() == nil
	if b.err == nil {
		b.err = &Error{Kind: KindInvalid, Origin: b.origin, detail: readAfterClose}
	}
	left := min(b.left, drainBytes)
	b.mu.Unlock()
	if drain {
		// Closing from a timer ends the read when the server holds the stream
		// open without sending anything.
		t := time.AfterFunc(drainTime, func() { _ = b.rc.Close() })
		_, _ = io.CopyN(io.Discard, b.rc, left+1)
		t.Stop()
	}
	_ = b.rc.Close()
	return nil
}

// capBody puts the limits on resp.
func capBody(req *http.Request, resp *http.Response, limit int64, origin string) *Error {
	if resp.Body == nil || resp.Body == http.NoBody || req.Method == http.MethodHead {
		return nil
	}
	if !isRedirect(resp) && encoded(resp.Header) {
		return &Error{Kind: KindEncoding, Origin: origin, Status: resp.StatusCode}
	}
	if resp.ContentLength > limit {
		return tooLarge(limit, origin)
	}
	resp.Body = newCappedBody(req.Context(), resp.Body, limit, origin)
	return nil
}
