package vm

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	sampleEvery = 20 * time.Millisecond
	heapMetric  = "/memory/classes/heap/objects:bytes"
	// collectPause is how many times longer than a forced collection the next
	// one waits, so that a heap near the limit costs at most a tenth of the
	// time.
	collectPause = 10
)

// run is one load or call that is going on.
type run struct {
	ctx        context.Context
	cancel     context.CancelCauseFunc
	timer      *time.Timer
	dog        *watchdog
	prev, next *run
}

// begin derives the context of one call from the caller's.
func (e *Engine) begin(ctx context.Context) *run {
	r := &run{}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	if s := e.limits.MaxSeconds; s > 0 {
		d := time.Duration(s * float64(time.Second))
		r.timer = time.AfterFunc(d, func() { r.cancel(errTime(s)) })
	}
	if e.limits.MaxMemoryBytes > 0 {
		r.dog = &e.dog
		r.dog.add(r)
	}
	return r
}

func errTime(seconds float64) error {
	const name = "IRONFLOW_LUA_MAX_SECONDS"
	return &LimitError{Variable: name, msg: fmt.Sprintf("ran longer than %v s (%s)", seconds, name)}
}

func (r *run) end() {
	if r.timer != nil {
		r.timer.Stop()
	}
	if r.dog != nil {
		r.dog.remove(r)
	}
	r.cancel(nil)
}

// watchdog samples the heap while calls are running and cancels all of them
// when it is over the limit. It works on a timer, so it has no goroutine that
// could be left behind, and does nothing while no call runs.
type watchdog struct {
	limit int64

	mu      sync.Mutex
	runs    *run // a list, newest first
	armed   bool
	timer   *time.Timer
	collect time.Time // no forced collection before
}

func (w *watchdog) add(r *run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.next = w.runs; r.next != nil {
		r.next.prev = r
	}
	w.runs = r
	if w.armed {
		return
	}
	w.armed = true
	if w.timer == nil {
		w.timer = time.AfterFunc(sampleEvery, w.sample)
	} else {
		w.timer.Reset(sampleEvery)
	}
}

func (w *watchdog) remove(r *run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		w.runs = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	}
	r.prev, r.next = nil, nil
	if w.runs == nil && w.armed && w.timer.Stop() {
		w.armed = false
	}
}

func heapBytes() int64 {
	s := []metrics.Sample{{Name: heapMetric}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// sample runs on the timer.
func (w *watchdog) sample() {
	over := w.over()
	w.mu.Lock()
	defer w.mu.Unlock()
	if over {
		const name = "IRONFLOW_LUA_MAX_MEMORY_BYTES"
		err := &LimitError{Variable: name,
			msg: fmt.Sprintf("the heap of the process grew over %d bytes (%s)", w.limit, name)}
		for r := w.runs; r != nil; r = r.next {
			r.cancel(err)
		}
	}
	if w.armed = w.runs != nil; w.armed {
		w.timer.Reset(sampleEvery)
	}
}

// over reports whether live memory is over the limit. The metric also counts
// garbage, so a high reading is confirmed after a collection.
func (w *watchdog) over() bool {
	if heapBytes() <= w.limit {
		return false
	}
	start := time.Now()
	if start.Before(w.collect) {
		return false
	}
	runtime.GC()
	w.collect = time.Now().Add(collectPause * time.Since(start))
	return heapBytes() > w.limit
}
