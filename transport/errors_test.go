package transport_test

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

func TestScrub(t *testing.T) {
	m := transporttest.NewMarker()
	wrap := func(err error) error { return &url.Error{Op: "Post", URL: "http://h/" + m + "?k=" + m, Err: err} }
	opErr := func(op string, err error) error { return &net.OpError{Op: op, Net: "tcp", Err: err} }
	for _, tt := range []struct {
		err   error
		kind  transport.Kind
		retry bool
		is    error
	}{
		{wrap(opErr("dial", os.NewSyscallError("connect", syscall.ECONNREFUSED))), transport.KindConnect, true, syscall.ECONNREFUSED},
		{wrap(opErr("dial", &net.DNSError{Err: "no such host", Name: m, IsNotFound: true})), transport.KindConnect, true, nil},
		{wrap(opErr("dial", os.ErrDeadlineExceeded)), transport.KindTimeout, true, os.ErrDeadlineExceeded},
		{wrap(opErr("proxyconnect", errors.New(m))), transport.KindConnect, true, nil},
		{wrap(context.DeadlineExceeded), transport.KindTimeout, true, context.DeadlineExceeded},
		{wrap(context.Canceled), transport.KindCancelled, false, context.Canceled},
		{wrap(io.EOF), transport.KindConnection, false, io.EOF},
		{io.ErrUnexpectedEOF, transport.KindConnection, false, io.ErrUnexpectedEOF},
		{opErr("read", os.NewSyscallError("read", syscall.ECONNRESET)), transport.KindConnection, false, syscall.ECONNRESET},
		{wrap(net.ErrClosed), transport.KindConnection, false, net.ErrClosed},
		{wrap(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}), transport.KindTLS, false, nil},
		{wrap(&tls.CertificateVerificationError{Err: errors.New(m)}), transport.KindTLS, false, nil},
		{wrap(x509.HostnameError{Host: m, Certificate: &x509.Certificate{DNSNames: []string{m}}}), transport.KindTLS, false, nil},
		{wrap(tls.RecordHeaderError{Msg: m}), transport.KindTLS, false, nil},
		{wrap(http.ErrSchemeMismatch), transport.KindTLS, false, http.ErrSchemeMismatch},
		{wrap(tls.AlertError(40)), transport.KindTLS, false, nil},
		{&url.Error{Op: "parse", URL: "http://" + m, Err: errors.New(m)}, transport.KindInvalid, false, nil},
		{gzip.ErrHeader, transport.KindProtocol, false, nil},
		{wrap(fmt.Errorf("malformed HTTP status code %q", m)), transport.KindProtocol, false, nil},
		{wrap(fmt.Errorf("something new with %q", m)), transport.KindConnection, false, nil},
	} {
		err := transport.Scrub(t.Context(), tt.err)
		var e *transport.Error
		if !errors.As(err, &e) || e.Kind != tt.kind || e.Retryable() != tt.retry {
			t.Errorf("Scrub(%T %v) = %v, want kind %s, retryable %v", tt.err, tt.err, err, tt.kind, tt.retry)
			continue
		}
		if tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("Scrub(%v): errors.Is(%v) is false", tt.err, tt.is)
		}
		transporttest.AssertNoLeak(t, m, err)
		if j, err := json.Marshal(map[string]any{"error": e}); err != nil || strings.Contains(string(j), m) {
			t.Errorf("as JSON: %s, %v", j, err)
		}
	}
	if err := transport.Scrub(t.Context(), nil); err != nil {
		t.Errorf("Scrub(nil) = %v", err)
	}
}

// TestScrubPrefersContext: a done context is the reason, whatever came of it;
// decisions of the policy stay.
func TestScrubPrefersContext(t *testing.T) {
	cause := errors.New("the step was abandoned")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for _, in := range []error{io.EOF, cause, context.DeadlineExceeded, errors.New("x"), &transport.Error{Kind: transport.KindConnect}} {
		err := transport.Scrub(ctx, fmt.Errorf("calling: %w", in))
		if !errors.Is(err, transport.KindCancelled) || !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
			t.Errorf("Scrub(%v) = %v, want kind cancelled with its cause", in, err)
		}
	}
	for _, k := range []transport.Kind{transport.KindRedirect, transport.KindBodyTooLarge, transport.KindAddressRefused, transport.KindInsecure} {
		if err := transport.Scrub(ctx, &transport.Error{Kind: k}); !errors.Is(err, k) {
			t.Errorf("Scrub(%s) = %v", k, err)
		}
	}
	late, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer stop()
	if err := transport.Scrub(late, io.EOF); !errors.Is(err, transport.KindTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
	// A foreign client's own timeout is a deadline of the request.
	if err := transport.Scrub(t.Context(), &url.Error{Op: "Get", URL: "http://h", Err: os.ErrDeadlineExceeded}); !errors.Is(err, transport.KindTimeout) {
		t.Errorf("a timeout of the client: %v", err)
	}
}

// TestErrorKindsOverTheWire: the kinds as real servers cause them.
func TestErrorKindsOverTheWire(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(plain.Close)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	secure.Config.ErrorLog = quiet()
	secure.StartTLS()
	t.Cleanup(secure.Close)
	c := newClient(t, transport.Policy{Hosts: map[string]string{"slow.test:80": "127.0.0.1:1"}})
	for name, tt := range map[string]struct {
		url  string
		want transport.Kind
	}{
		"nobody listens":        {"http://127.0.0.1:1/", transport.KindConnect},
		"unknown name":          {"http://name-that-does-not-exist.invalid/", transport.KindConnect},
		"TLS to a plain server": {strings.Replace(plain.URL, "http:", "https:", 1), transport.KindTLS},
		"untrusted certificate": {secure.URL, transport.KindTLS},
	} {
		err := get(t, c, tt.url, "")
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want kind %s", name, err, tt.want)
		}
		u, _ := url.Parse(tt.url)
		o, _ := transport.Origin(u)
		if err != nil && !strings.Contains(err.Error(), o) {
			t.Errorf("%s: error %q does not name %s", name, err, o)
		}
	}
}

func TestErrorFormats(t *testing.T) {
	e := &transport.Error{Kind: transport.KindConnect, Origin: "http://h:80"}
	const want = "could not connect to http://h:80"
	for _, f := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		if got := fmt.Sprintf(f, e); got != want {
			t.Errorf("%s: %q", f, got)
		}
	}
	if got := fmt.Sprintf("%q", e); got != `"`+want+`"` {
		t.Errorf("%%q: %s", got)
	}
	var none *transport.Error
	if none.Error() == "" || none.Retryable() || errors.Is(error(none), transport.KindConnect) {
		t.Error("a nil *Error misbehaves")
	}
}
