package transport

import (
	"fmt"
	"io"
	"strconv"
)

// Kind classifies a failure. A Kind is itself an error, so that a caller can
// write errors.Is(err, transport.KindRedirect).
type Kind string

// The closed list of kinds.
const (
	// KindConnect: no connection could be made (refused, no route, unknown name).
	KindConnect Kind = "connect"
	// KindTimeout: a deadline passed (dial, TLS handshake, or the context's).
	KindTimeout Kind = "timeout"
	// KindCancelled: the caller cancelled the request.
	KindCancelled Kind = "cancelled"
	// KindConnection: an established connection broke before the complete
	// response had arrived.
	KindConnection Kind = "connection"
	// KindRedirect: a redirect was refused.
	KindRedirect Kind = "redirect"
	// KindBodyTooLarge: the decoded response body exceeds the limit.
	KindBodyTooLarge Kind = "body_too_large"
	// KindEncoding: the response uses a content encoding that is not supported.
	KindEncoding Kind = "encoding"
	// KindAddressRefused: the resolved address is one that is never contacted.
	KindAddressRefused Kind = "address_refused"
	// KindInsecure: a credential would have travelled in clear text.
	KindInsecure Kind = "insecure"
	// KindTLS: the TLS handshake failed or the certificate is not acceptable.
	KindTLS Kind = "tls"
	// KindProtocol: the answer is not valid HTTP or is malformed.
	KindProtocol Kind = "protocol"
	// KindProxy: the configured proxy is unusable or refused the request.
	KindProxy Kind = "proxy"
	// KindInvalid: the request itself or a configured address is not allowed.
	KindInvalid Kind = "invalid_request"
)

// Error returns the name of the kind.
func (k Kind) Error() string { return string(k) }

// Error is every failure of this package. Its text, in every format verb, is
// one of our own sentences with normalised origins, addresses and numbers.
type Error struct {
	Kind    Kind
	Origin  string // normalised origin of the request, "" when unknown
	Target  string // normalised origin of a refused redirect, or ""
	Address string // the refused IP address, or ""
	Status  int    // status of the answer that was refused, or 0
	Limit   int64  // the limit that was exceeded, or 0

	detail detail
	// causes holds only errors whose text is fixed (io.EOF, syscall errors,
	// context errors) or that the caller made (the cancel cause), because code
	// that walks a chain may print what it finds there.
	causes []error
}

// detail is one sentence of the closed list; a distinct type, so that no
// foreign string becomes one by accident.
type detail string

// Error returns the sentence for this failure.
func (e *Error) Error() string {
	if e == nil {
		return "no error"
	}
	return e.sentence() + e.more()
}

func (e *Error) sentence() string {
	at := e.Origin
	if at == "" {
		at = "the server"
	}
	switch e.Kind {
	case KindConnect:
		return "could not connect to " + at
	case KindTimeout:
		return "request to " + at + " timed out"
	case KindCancelled:
		return "request to " + at + " was cancelled"
	case KindConnection:
		return "connection to " + at + " broke before the complete response had arrived"
	case KindRedirect:
		return e.redirectSentence(at)
	case KindBodyTooLarge:
		return "response body from " + at + " exceeds the limit of " + strconv.FormatInt(e.Limit, 10) + " bytes"
	case KindEncoding:
		return "response from " + at + " uses a content encoding that is not supported (allowed: gzip once, identity)"
	case KindAddressRefused:
		return "address " + e.Address + " of " + at + " is refused"
	case KindInsecure:
		if e.Address != "" {
			at += " (" + e.Address + ")"
		}
		return "a credential for " + at + " is not sent over plain http"
	case KindTLS:
		return "TLS connection to " + at + " failed"
	case KindProtocol:
		return "response from " + at + " is not valid HTTP"
	case KindProxy:
		return "the configured proxy cannot be used for " + at
	case KindInvalid:
		if e.Origin == "" {
			return "request not allowed"
		}
		return "request to " + e.Origin + " not allowed"
	}
	return "request to " + at + " failed"
}

func (e *Error) redirectSentence(at string) string {
	switch {
	case e.Target != "":
		return "redirect to a different origin refused (" + at + " -> " + e.Target + ")"
	case e.Status != 0:
		return "redirect from " + at + " refused (HTTP " + strconv.Itoa(e.Status) + ")"
	}
	return "redirect from " + at + " refused"
}

func (e *Error) more() string {
	d := e.detail
	if d == "" {
		switch e.Kind {
		case KindConnection:
			d = adviceConnection
		case KindProtocol:
			d = adviceProtocol
		case KindEncoding:
			d = adviceEncoding
		default:
			return ""
		}
	}
	return ": " + string(d)
}

// Format prints the same text for every verb and flag, so that no verb walks
// into the fields.
func (e *Error) Format(f fmt.State, verb rune) {
	if verb == 'q' {
		_, _ = io.WriteString(f, strconv.Quote(e.Error()))
		return
	}
	_, _ = io.WriteString(f, e.Error())
}

// MarshalText returns the sentence, for loggers that marshal values.
func (e *Error) MarshalText() ([]byte, error) { return []byte(e.Error()), nil }

// Is reports whether target is the Kind of e.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && e != nil && k == e.Kind
}

// Unwrap returns the known causes: context errors, cancel causes, io and
// system errors with fixed texts.
func (e *Error) Unwrap() []error {
	if e == nil {
		return nil
	}
	return e.causes
}

// Retryable reports whether the same request may succeed when sent again:
// failures to connect and timeouts. A retry loop must look at its own context
// first, since a timeout may be the caller's.
func (e *Error) Retryable() bool {
	return e != nil && (e.Kind == KindConnect || e.Kind == KindTimeout)
}

// withOrigin fills in the origin when a deeper layer did not know it.
func (e *Error) withOrigin(o string) *Error {
	if e.Origin != "" || o == "" {
		return e
	}
	c := *e
	c.Origin = o
	return &c
}
