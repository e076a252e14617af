package transporttest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/transport"
)

// Hostile is a server that misbehaves.
type Hostile struct {
	Name string
	// Kinds are the acceptable kinds of the error; empty means that the
	// transport accepts the answer, and its status or body decides.
	Kinds []transport.Kind
	// ErrorStatus says that a caller which judges the status may fail for that
	// reason instead.
	ErrorStatus bool

	tls     bool                       // the certificate is for the marker's name
	raw     func(marker string) string // bytes written to the connection, which is then closed
	handler func(marker string) http.HandlerFunc
}

// HostileLimit is the MaxBodyBytes for which the servers of Hostiles are made.
const HostileLimit = 1 << 20

const jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// Hostiles returns servers that every caller must answer with an error. Each
// plants the marker it is given wherever it can.
func Hostiles() []Hostile {
	var (
		broken   = []transport.Kind{transport.KindConnection}
		protocol = []transport.Kind{transport.KindProtocol}
		either   = []transport.Kind{transport.KindConnection, transport.KindProtocol}
		tooLarge = []transport.Kind{transport.KindBodyTooLarge}
		encoding = []transport.Kind{transport.KindEncoding}
		redirect = []transport.Kind{transport.KindRedirect}
	)
	return []Hostile{
		{Name: "closes at once", Kinds: broken, raw: func(string) string { return "" }},
		{Name: "not HTTP", Kinds: protocol, raw: func(m string) string { return m + " banner\r\n\r\n" }},
		{Name: "status is text", Kinds: protocol, raw: func(m string) string { return "HTTP/1.1 " + m + " OK\r\n\r\n" }},
		{Name: "header without colon", Kinds: protocol, raw: func(m string) string { return "HTTP/1.1 200 OK\r\n" + m + "\r\n\r\n" }},
		{Name: "cut in the header", Kinds: either, raw: func(m string) string { return "HTTP/1.1 200 OK\r\nX-A: " + m }},
		{Name: "cut in a declared body", Kinds: broken, raw: func(m string) string { return jsonHead + "Content-Length: 5000\r\n\r\n{\"a\":\"" + m }},
		{Name: "cut in a chunk", Kinds: broken, raw: func(m string) string {
			return jsonHead + "Transfer-Encoding: chunked\r\n\r\nff\r\n" + m
		}},
		{Name: "no last chunk", Kinds: broken, raw: func(m string) string {
			return jsonHead + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(m), m)
		}},
		{Name: "chunk size is text", Kinds: either, raw: func(m string) string {
			return jsonHead + "Transfer-Encoding: chunked\r\n\r\n" + m + "\r\n{}\r\n0\r\n\r\n"
		}},
		{Name: "length is text", Kinds: protocol, raw: func(m string) string { return jsonHead + "Content-Length: " + m + "\r\n\r\n{}" }},
		{Name: "two lengths", Kinds: protocol, raw: func(m string) string {
			return jsonHead + "Content-Length: 5\r\nContent-Length: 7\r\n\r\n" + m
		}},
		{Name: "unknown transfer encoding", Kinds: protocol, raw: func(m string) string {
			return jsonHead + "Transfer-Encoding: " + m + "\r\n\r\n{}"
		}},
		{Name: "header over 1 MiB", Kinds: protocol, raw: func(m string) string {
			return jsonHead + "X-Big: " + m + strings.Repeat("a", 2<<20) + "\r\n\r\n{}"
		}},
		{Name: "endless early hints", Kinds: protocol, raw: func(m string) string {
			return strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: <"+m+strings.Repeat("a", 8000)+">\r\n\r\n", 300) + jsonHead + "\r\n{}"
		}},
		{Name: "switches protocols", Kinds: protocol, raw: func(m string) string {
			return "HTTP/1.1 101 " + m + "\r\nConnection: Upgrade\r\nUpgrade: " + m + "\r\n\r\n" + m
		}},
		{Name: "declares more than the limit", Kinds: tooLarge, raw: func(m string) string {
			return jsonHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", HostileLimit+1) + m
		}},
		{Name: "endless body", Kinds: tooLarge, handler: endless(200)},
		{Name: "endless error body", Kinds: tooLarge, ErrorStatus: true, handler: endless(500)},
		{Name: "gzip bomb", Kinds: tooLarge, handler: bomb},
		{Name: "gzip twice", Kinds: encoding, handler: encodedAs("gzip, gzip", func(b []byte) []byte { return Gzipped(Gzipped(b)) })},
		{Name: "brotli", Kinds: encoding, handler: encodedAs("br", func(b []byte) []byte { return b })},
		{Name: "deflate", Kinds: encoding, handler: encodedAs("deflate", func(b []byte) []byte { return b })},
		{Name: "encoding is text", Kinds: encoding, handler: func(m string) http.HandlerFunc {
			return encodedAs(m, func(b []byte) []byte { return b })(m)
		}},
		{Name: "says gzip, is not", Kinds: protocol, handler: encodedAs("gzip", func(b []byte) []byte { return b })},
		{Name: "gzip cut", Kinds: either, handler: encodedAs("gzip", func(b []byte) []byte { z := Gzipped(b); return z[:len(z)-6] })},
		{Name: "gzip with a wrong checksum", Kinds: protocol, handler: encodedAs("gzip", func(b []byte) []byte {
			z := Gzipped(b)
			z[len(z)-8] ^= 0xff
			return z
		})},
		{Name: "unparsable Location", Kinds: redirect, handler: located(307, func(m string) string { return "http://" + m + ":port:" + m + "/" })},
		{Name: "foreign Location", Kinds: redirect, handler: located(302, func(m string) string { return "http://127.0.0.1:1/" + m + "?q=" + m })},
		{Name: "302 without Location", handler: located(302, func(string) string { return "" })},
		{Name: "certificate for another name", Kinds: []transport.Kind{transport.KindTLS}, tls: true, handler: located(200, func(string) string { return "" })},
		{Name: "marked 200", raw: func(m string) string { return marked("200", m) }},
		{Name: "marked 401", raw: func(m string) string { return marked("401", m) }},
		{Name: "marked 429", raw: func(m string) string { return marked("429", m) }},
		{Name: "marked 500", raw: func(m string) string { return marked("500", m) }},
		{Name: "304", handler: located(304, func(m string) string { return "/" + m })},
	}
}

// marked is a well-formed answer with the marker in every place that is free text.
func marked(status, m string) string {
	return "HTTP/1.1 " + status + " " + m + "\r\nContent-Type: application/" + m + "\r\nX-Request-Id: " + m + " " + m +
		"\r\nWWW-Authenticate: Basic realm=\"" + m + "\"\r\nSet-Cookie: a=" + m + "\r\nRetry-After: " + m +
		"\r\nDate: " + m + "\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n" +
		chunk(`{"`+m+`":1,"error":{"message":"`+m+`","code":"`+m+`","type":"`+m+`"},"model":"`+m+`"}`) + "0\r\nX-T: " + m + "\r\n\r\n"
}

func chunk(s string) string { return fmt.Sprintf("%x;ext=%s\r\n%s\r\n", len(s), s[2:10], s) }

func located(code int, loc func(string) string) func(string) http.HandlerFunc {
	return func(m string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if l := loc(m); l != "" {
				w.Header().Set("Location", l)
			}
			w.Header().Set("X-Marker", m)
			w.WriteHeader(code)
			if code != http.StatusNotModified {
				_, _ = io.WriteString(w, `{"error":{"message":"`+m+`"}}`)
			}
		}
	}
}

func encodedAs(name string, f func([]byte) []byte) func(string) http.HandlerFunc {
	return func(m string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", name)
			_, _ = w.Write(f([]byte(`{"a":"` + m + `"}`)))
		}
	}
}

func endless(status int) func(string) http.HandlerFunc {
	return func(m string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			line := []byte(strings.Repeat(m+" ", 1000))
			for {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		}
	}
}

// bomb sends 256 MiB of spaces in a few hundred kilobytes.
func bomb(m string) http.HandlerFunc {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(`"` + m + `"`))
	blank := bytes.Repeat([]byte{' '}, 1<<20)
	for range 256 {
		_, _ = z.Write(blank) // a bytes.Buffer does not fail
	}
	_ = z.Close()
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(b.Bytes())
	}
}

// Start starts the server, which ends with the test. It returns the base URL and
// the certificate authorities that the client must trust (nil for plain http).
func (h Hostile) Start(t testing.TB, marker string) (string, *x509.CertPool) {
	t.Helper()
	if h.raw != nil {
		return ServeRaw(t, h.raw(marker)), nil
	}
	s := httptest.NewUnstartedServer(h.handler(marker))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	if !h.tls {
		s.Start()
		return s.URL, nil
	}
	cert, pool := Certificate(t, marker+".test")
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	s.StartTLS()
	return s.URL, pool
}

// ServeRaw starts a server that reads one request per connection, writes answer
// as it is and closes. It returns the base URL.
func ServeRaw(t testing.TB, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { answerRaw(c, answer) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
	return "http://" + l.Addr().String()
}

func answerRaw(c net.Conn, answer string) {
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(cellTimeout))
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	// The request is read completely, since closing a socket with unread data
	// resets it and can destroy the answer on its way.
	_, _ = io.Copy(io.Discard, req.Body)
	_, _ = io.WriteString(c, answer)
}

// RunHostiles runs send against every server of Hostiles and asserts the kind of
// the error and that nothing of the server's text is in the error or the logs.
// judgesStatus says that send fails by itself where the transport accepts the
// answer; it is false for a send that only transports.
func RunHostiles(t *testing.T, send Send, judgesStatus bool) {
	t.Helper()
	for _, h := range Hostiles() {
		t.Run(h.Name, func(t *testing.T) {
			marker := NewMarker()
			logs := CaptureLogs(t)
			base, pool := h.Start(t, marker)
			c, err := transport.New(transport.Policy{MaxBodyBytes: HostileLimit, RootCAs: pool})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.CloseIdleConnections)
			ctx, cancel := context.WithTimeout(t.Context(), cellTimeout)
			defer cancel()
			err = send(ctx, c, base)
			AssertNoLeak(t, marker, err)
			AssertNoMarker(t, marker, "the log", logs.String())
			h.assert(t, err, judgesStatus)
		})
	}
}

func (h Hostile) assert(t testing.TB, err error, judgesStatus bool) {
	t.Helper()
	if err == nil {
		if len(h.Kinds) > 0 || judgesStatus {
			t.Errorf("no error, want one of %v", h.Kinds)
		}
		return
	}
	if len(h.Kinds) == 0 || (judgesStatus && h.ErrorStatus) {
		return
	}
	for _, k := range h.Kinds {
		if errors.Is(err, k) {
			return
		}
	}
	t.Errorf("error is of none of the kinds %v: %v", h.Kinds, err)
}
