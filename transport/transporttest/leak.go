package transporttest

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"log"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// NewMarker returns a text that occurs nowhere else. It is lower case and valid
// as a header value, a host label and a path segment.
func NewMarker() string { return "leakmark" + strings.ToLower(rand.Text()[:16]) }

// AssertNoLeak fails when marker shows in err or in any error that unwrapping
// leads to, in any usual format.
func AssertNoLeak(t testing.TB, marker string, err error) {
	t.Helper()
	walk(err, func(e error) {
		for _, f := range []string{"%s", "%v", "%+v", "%#v", "%q", "%d"} {
			AssertNoMarker(t, marker, f, fmt.Sprintf(f, e))
		}
		AssertNoMarker(t, marker, "Error()", e.Error())
	})
}

func walk(err error, visit func(error)) {
	if err == nil {
		return
	}
	visit(err)
	switch x := err.(type) { //nolint:errorlint // this is the walk itself
	case interface{ Unwrap() error }:
		walk(x.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, e := range x.Unwrap() {
			walk(e, visit)
		}
	}
}

// AssertNoMarker fails when marker shows in text, which comes from where.
func AssertNoMarker(t testing.TB, marker, where, text string) {
	t.Helper()
	if strings.Contains(strings.ToLower(text), strings.ToLower(marker)) {
		t.Errorf("%s shows text that a server chose: %s", where, text)
	}
}

// Logs collects what is written to log and log/slog.
type Logs struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *Logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String returns what was written so far.
func (l *Logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// CaptureLogs directs the default loggers of log and log/slog to the result until
// the test ends. Tests that use it must not run in parallel.
func CaptureLogs(t testing.TB) *Logs {
	t.Helper()
	l := &Logs{}
	oldSlog, oldOut, oldFlags := slog.Default(), log.Writer(), log.Flags()
	slog.SetDefault(slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug})))
	log.SetOutput(l)
	t.Cleanup(func() {
		slog.SetDefault(oldSlog)
		log.SetOutput(oldOut)
		log.SetFlags(oldFlags)
	})
	return l
}
