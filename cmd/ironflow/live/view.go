package live

import (
	"io"
	"sync"
	"time"

	"github.com/ironflow/ironflow/flow"
)

const (
	// frameEvery bounds how often the terminal is written to.
	frameEvery = 33 * time.Millisecond
	// tickEvery is how often the times of running steps move on.
	tickEvery = 100 * time.Millisecond
	// logRoom is how many bytes of log lines may wait for a terminal that does
	// not take them; then those who log wait, too.
	logRoom = 1 << 20
)

// Options are what a [View] needs.
type Options struct {
	// Out is the terminal. Each frame is one Write.
	Out io.Writer
	// Size returns the columns and rows of the terminal.
	Size func() (width, height int)
	// Now is the clock; nil is time.Now.
	Now   func() time.Time
	Style Style
}

// View shows a model on a terminal until it is stopped. Its methods may be
// called from any goroutine.
type View struct {
	o      Options
	screen screen // of the loop alone

	mu      sync.Mutex
	room    sync.Cond // log has become shorter
	model   *Model
	log     []byte
	stopped bool

	dirty    chan struct{}
	stop     chan struct{}
	finished chan struct{}
}

// Start shows m from now on; m belongs to the view.
func Start(m *Model, o Options) *View { return start(m, o, newSignals()) }

func start(m *Model, o Options, sig signals) *View {
	if o.Now == nil {
		o.Now = time.Now
	}
	v := &View{
		o: o, model: m,
		dirty: make(chan struct{}, 1), stop: make(chan struct{}), finished: make(chan struct{}),
	}
	v.room.L = &v.mu
	go v.loop(sig)
	return v
}

// Event takes the next event of the run. It never waits for the terminal.
func (v *View) Event(e flow.Event) {
	v.mu.Lock()
	v.model.Event(e)
	v.mu.Unlock()
	v.wake()
}

// Write prints whole log lines above the view. After Stop it writes to the
// terminal itself.
func (v *View) Write(p []byte) (int, error) {
	v.mu.Lock()
	for len(v.log) > logRoom && !v.stopped {
		v.room.Wait()
	}
	if v.stopped {
		v.mu.Unlock()
		<-v.finished
		return v.o.Out.Write(p)
	}
	v.log = append(v.log, p...)
	if n := len(p); n > 0 && p[n-1] != '\n' {
		v.log = append(v.log, '\n')
	}
	v.mu.Unlock()
	v.wake()
	return len(p), nil
}

// Stop draws the last state once more and leaves it on the terminal. Only the
// first call does something.
func (v *View) Stop() {
	v.mu.Lock()
	if !v.stopped {
		v.stopped = true
		v.room.Broadcast()
		close(v.stop)
	}
	v.mu.Unlock()
	<-v.finished
}

func (v *View) wake() {
	select {
	case v.dirty <- struct{}{}:
	default:
	}
}

// loop draws: soon after something has changed, and now and then for the time.
func (v *View) loop(sig signals) {
	defer close(v.finished)
	defer sig.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var last time.Time
	for {
		select {
		case <-v.stop:
			v.draw()
			return
		case <-v.dirty:
			timer.Reset(frameEvery - time.Since(last))
			continue
		case <-sig.resumed:
			// The shell has written since.
			v.screen.forget()
		case <-sig.resized:
		case <-timer.C:
		}
		v.draw()
		last = time.Now()
		timer.Reset(tickEvery)
	}
}

func (v *View) draw() {
	width, height := v.o.Size()
	v.mu.Lock()
	log := v.log
	v.log = nil
	lines := v.model.Lines(v.o.Now(), width, height, v.o.Style)
	v.room.Broadcast()
	v.mu.Unlock()
	if frame := v.screen.frame(log, lines, width); len(frame) > 0 {
		// A terminal that is gone takes nothing; the run goes on without it.
		_, _ = v.o.Out.Write(frame)
	}
}
