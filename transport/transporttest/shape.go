package transporttest

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"testing"
)

// Shape is a way to deliver a body.
type Shape string

// The shapes in which a well-behaved server delivers a body.
const (
	Declared Shape = "declared" // with Content-Length
	Chunked  Shape = "chunked"  // length unknown, in several writes
	Gzip     Shape = "gzip"     // compressed, length unknown
)

// Shapes returns all shapes.
func Shapes() []Shape { return []Shape{Declared, Chunked, Gzip} }

// Handler answers every request with status and body in the shape. Gzip is sent
// whether it was asked for or not.
func (s Shape) Handler(status int, contentType string, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		switch s {
		case Declared:
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			w.WriteHeader(status)
			_, _ = w.Write(body)
		case Chunked:
			w.WriteHeader(status)
			half := len(body) / 2
			_, _ = w.Write(body[:half])
			w.(http.Flusher).Flush()
			_, _ = w.Write(body[half:])
			w.(http.Flusher).Flush()
		case Gzip:
			w.Header().Set("Content-Encoding", "gzip")
			w.WriteHeader(status)
			_, _ = w.Write(Gzipped(body))
		}
	})
}

// Gzipped returns body compressed.
func Gzipped(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(body) // a bytes.Buffer does not fail
	_ = z.Close()
	return b.Bytes()
}

// Exactly pads JSON with spaces, which every decoder skips, to size bytes.
func Exactly(t testing.TB, json []byte, size int64) []byte {
	t.Helper()
	pad := size - int64(len(json))
	if pad < 0 {
		t.Fatalf("the JSON has %d bytes, more than the wanted %d", len(json), size)
	}
	return append(json[:len(json):len(json)], bytes.Repeat([]byte{' '}, int(pad))...)
}
