package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/ironflow/ironflow/transport"
)

// Endpoint is where an opened vendor sends its requests and how it proves who
// it is. It turns every failure into an [*Error] whose text holds nothing that
// the server wrote.
type Endpoint struct {
	Runtime
	// Base has no trailing slash, userinfo, query or fragment.
	Base *url.URL
	// Authorize puts the credentials on a request; nil when there are none.
	// It runs for every request; an error it returns must be safe to print.
	Authorize func(*http.Request) error
}

// Address returns the base address; see [Provider].
func (e *Endpoint) Address() string { return e.Base.String() }

// PostJSON sends body as JSON to a path below the base address and returns the
// answer's body when its status is in 200..299. Text is not escaped for HTML.
func (e *Endpoint) PostJSON(ctx context.Context, path string, body any) (string, error) {
	return e.post(ctx, path, body, taskEmbed)
}

// PostChat is [Endpoint.PostJSON] for a question to a model. The answer may
// come as a stream, whatever was asked for; an event stream is read up to its
// end mark, even when the connection stays open. A stream that breaks off is a
// failure that may pass.
func (e *Endpoint) PostChat(ctx context.Context, path string, body any) (string, error) {
	return e.post(ctx, path, body, taskChat)
}

func (e *Endpoint) post(ctx context.Context, path string, body any, t task) (string, error) {
	payload, err := marshal(body)
	if err != nil {
		return "", e.fail(&Error{Kind: KindInput, Detail: "the request cannot be written as JSON"})
	}
	u := e.Base.JoinPath(path)
	// A server may close an idle connection at the very moment of the request.
	// Asking twice does no harm, so such a request is sent again.
	req, err := http.NewRequestWithContext(transport.WithReplay(ctx), http.MethodPost, u.String(), bytes.NewReader(payload))
	if err != nil {
		return "", e.fail(configDetail("the address of the provider is not usable"))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if e.Authorize != nil {
		if err := e.Authorize(req); err != nil {
			return "", e.fail(err)
		}
	}
	resp, err := e.Client.Do(req)
	if err != nil {
		return "", transportError(ctx, e.Vendor, err, t)
	}
	defer func() { _ = resp.Body.Close() }()
	good := resp.StatusCode >= 200 && resp.StatusCode <= 299
	var text string
	if t == taskChat && good && isEventStream(resp.Header) {
		text, err = readEvents(resp.Body)
	} else {
		text, err = readAll(resp)
	}
	if err != nil {
		err := transportError(ctx, e.Vendor, err, t)
		if t == taskChat && good && err.Kind == KindConnection && isStream(resp.Header, text) {
			return "", e.fail(streamCut(err.Err))
		}
		return "", err
	}
	if !good {
		return "", e.statusError(resp.StatusCode, withoutEcho(resp.Header, req.Header), text, t)
	}
	return text, nil
}

func configDetail(text string) *Error { return &Error{Kind: KindConfig, Detail: text} }

func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// readAll reads a body that the transport has capped, straight into a string,
// so that the decoder needs no second copy.
func readAll(resp *http.Response) (string, error) {
	var b strings.Builder
	if n := resp.ContentLength; n > 0 && n <= 1<<30 {
		b.Grow(int(n))
	}
	_, err := io.Copy(&b, resp.Body)
	return b.String(), err
}

// StatusError is the error for an answer whose status says failure. The body is
// read for the class of the failure and then forgotten.
func (e *Endpoint) StatusError(status int, h http.Header, body string) *Error {
	return e.statusError(status, h, body, taskEmbed)
}

func (e *Endpoint) statusError(status int, h http.Header, body string, t task) *Error {
	c := classify(status, body)
	pe := &Error{
		Kind: KindStatus, Status: status, Code: c.code, Permanent: c.permanent, FormatRefused: c.format && t == taskChat, Hint: t.statusHint(status, c),
	}
	pe.RetryAfter, pe.HasRetryAfter = parseRetryAfter(h, e.Clock.Now())
	if id := requestID(h); id != "" && (e.Redactor == nil || e.Redactor.Redact(id) == id) {
		pe.RequestID = id
	}
	return e.named(pe)
}

// withoutEcho drops a request id in which the server returns a header of ours,
// and with it perhaps a credential.
func withoutEcho(answer, sent http.Header) http.Header {
	id := requestID(answer)
	if id == "" {
		return answer
	}
	for _, values := range sent {
		for _, v := range values {
			if strings.Contains(v, id) || strings.Contains(id, v) {
				return http.Header{"Retry-After": answer["Retry-After"], "Date": answer["Date"]}
			}
		}
	}
	return answer
}

// fail puts the provider's name and origin on an error.
func (e *Endpoint) fail(err error) error {
	var pe *Error
	if !errors.As(err, &pe) {
		return &Error{Kind: KindConfig, Provider: e.Vendor, Err: err}
	}
	return e.named(pe)
}

func (e *Endpoint) named(pe *Error) *Error {
	if pe.Provider != "" {
		return pe
	}
	c := *pe
	c.Provider = e.Vendor
	if origin, err := transport.Origin(e.Base); err == nil && c.Kind != KindConfig {
		c.Origin = origin
	}
	return &c
}

// Answer turns an error of a decoder into an [*Error] of KindAnswer that names
// the provider. Decoders write their own words and numbers only.
func (e *Endpoint) Answer(err error) error { return e.fail(err) }

// TransportError turns an error of an HTTP exchange into an [*Error]. vendor
// names the provider. The transport's own texts name the origin and are safe to
// print.
func TransportError(ctx context.Context, vendor string, err error) error {
	return transportError(ctx, vendor, err, taskEmbed)
}

func transportError(ctx context.Context, vendor string, err error, t task) *Error {
	scrubbed := transport.Scrub(ctx, err)
	out := &Error{Kind: KindConnection, Provider: vendor, Err: scrubbed}
	var te *transport.Error
	if !errors.As(scrubbed, &te) {
		return out
	}
	switch te.Kind {
	case transport.KindConnect:
		out.Kind = KindConnect
	case transport.KindTimeout:
		out.Kind = KindTimeout
	case transport.KindCancelled:
		out.Kind = KindCancelled
	case transport.KindBodyTooLarge:
		out.Kind = KindTooLarge
		out.Hint = t.tooLargeHint()
	case transport.KindRedirect, transport.KindEncoding, transport.KindAddressRefused,
		transport.KindInsecure, transport.KindTLS, transport.KindProtocol, transport.KindProxy, transport.KindInvalid:
		out.Kind = KindRefused
	}
	return out
}
