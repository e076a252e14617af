package transporttest

import (
	"runtime"
	"testing"
	"time"
)

// Baseline fails the test when, at its end, more goroutines run than now. Call it
// first, so that everything else is cleaned up before it looks; tests that use it
// must not run in parallel.
func Baseline(t testing.TB) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		deadline := time.Now().Add(5 * time.Second)
		for runtime.NumGoroutine() > before {
			if time.Now().After(deadline) {
				buf := make([]byte, 1<<20)
				t.Errorf("%d goroutines at the end, %d at the start:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
}
