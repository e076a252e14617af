package transport

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
)

const (
	adviceConnect    detail = "check that the server is running and that the address is right"
	adviceName       detail = "the name does not resolve; check the address"
	adviceConnection detail = "see the log of the server or of the proxy in front of it"
	adviceProtocol   detail = "check that the address is that of the API"
	adviceEncoding   detail = "switch compression off in the server or in the proxy in front of it"
	adviceTimeout    detail = "raise the timeout or send less at once"
	tlsUntrusted     detail = "the certificate is not signed by a trusted authority; add the authority to the system's"
	tlsOtherName     detail = "the certificate is for another name; check the host"
	tlsInvalid       detail = "the certificate is expired or not valid for this use"
	tlsNotSpoken     detail = "the server does not speak TLS there; check the scheme and the port"
	tlsAlert         detail = "the handshake was refused; TLS 1.2 or later is needed"
	headerTooLarge   detail = "its header is larger than 1 MiB"
	bodyUndecodable  detail = "its compressed body is damaged"
)

// Scrub turns any error that came out of net/http or a library on top of it
// into an *Error, by kind. When ctx is done it is the reason, whatever the error
// looks like: a cancelled context gives KindCancelled, an expired one
// KindTimeout; policy errors keep their kind. The chain of the result holds the
// context's error, its cause, and io and system errors, so that errors.Is works,
// but nothing whose text a server or an address could have chosen. A nil err
// gives nil. Not for errors of decoders: an unknown error becomes KindConnection.
func Scrub(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return scrubAt(ctx, err, "")
}

func scrubAt(ctx context.Context, err error, origin string) *Error {
	var e *Error
	known := errors.As(err, &e)
	if known && !e.transient() {
		return e.withOrigin(origin)
	}
	if known && e.Origin != "" {
		origin = e.Origin
	}
	if ctx != nil && ctx.Err() != nil {
		return contextError(ctx, origin)
	}
	if known {
		return e.withOrigin(origin)
	}
	out := classify(err)
	out.Origin = origin
	out.causes = fixedCauses(err)
	return out
}

// transient reports whether a done context explains the failure better.
func (e *Error) transient() bool {
	switch e.Kind {
	case KindConnect, KindTimeout, KindCancelled, KindConnection, KindTLS, KindProtocol:
		return true
	}
	return false
}

func contextError(ctx context.Context, origin string) *Error {
	e := &Error{Kind: KindCancelled, Origin: origin, causes: []error{ctx.Err()}}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind, e.detail = KindTimeout, adviceTimeout
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(ctx.Err(), cause) {
		e.causes = append(e.causes, cause)
	}
	return e
}

// classify finds the kind of an error that is not ours.
func classify(err error) *Error {
	if errors.Is(err, context.Canceled) {
		return &Error{Kind: KindCancelled}
	}
	var ne net.Error
	if errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &ne) && ne.Timeout()) {
		return &Error{Kind: KindTimeout, detail: adviceTimeout}
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return &Error{Kind: KindConnect, detail: adviceName}
	}
	if e := classifyTLS(err); e != nil {
		return e
	}
	var op *net.OpError
	if errors.As(err, &op) {
		switch op.Op {
		case "dial":
			return &Error{Kind: KindConnect, detail: adviceConnect}
		case "proxyconnect", "socks connect":
			return &Error{Kind: KindConnect, detail: proxyFailed}
		}
	}
	var ue *url.Error
	if errors.As(err, &ue) && ue.Op == "parse" {
		return &Error{Kind: KindInvalid, detail: badSyntax}
	}
	var corrupt flate.CorruptInputError
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) {
		return &Error{Kind: KindProtocol, detail: bodyUndecodable}
	}
	return classifyText(err)
}

func classifyTLS(err error) *Error {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		verify  *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &unknown):
		return &Error{Kind: KindTLS, detail: tlsUntrusted}
	case errors.As(err, &name):
		return &Error{Kind: KindTLS, detail: tlsOtherName}
	case errors.As(err, &invalid), errors.As(err, &verify):
		return &Error{Kind: KindTLS, detail: tlsInvalid}
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return &Error{Kind: KindTLS, detail: tlsNotSpoken}
	case errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return &Error{Kind: KindTLS, detail: tlsAlert}
	}
	return nil
}

// classifyText looks at texts where net/http offers no type. A wrong guess
// costs a less fitting sentence, nothing more: neither kind is retried.
func classifyText(err error) *Error {
	t := err.Error()
	switch {
	case strings.Contains(t, "response headers exceeded"), strings.Contains(t, "header list larger than"):
		return &Error{Kind: KindProtocol, detail: headerTooLarge}
	case strings.Contains(t, "malformed"), strings.Contains(t, "bad Content-Length"), strings.Contains(t, "too many transfer encodings"),
		strings.Contains(t, "unsupported transfer encoding"), strings.Contains(t, "chunk"), strings.Contains(t, "too many 1xx"),
		strings.Contains(t, "multiple Content-Length"), strings.Contains(t, "PROTOCOL_ERROR"):
		return &Error{Kind: KindProtocol}
	}
	return &Error{Kind: KindConnection}
}

// fixedCauses returns those causes of err whose texts are fixed.
func fixedCauses(err error) []error {
	var out []error
	for _, s := range []error{
		context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded,
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, http.ErrSchemeMismatch,
	} {
		if errors.Is(err, s) {
			out = append(out, s)
		}
	}
	var no syscall.Errno
	if errors.As(err, &no) {
		out = append(out, no)
	}
	return out
}
