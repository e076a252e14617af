package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

const (
	// grace is how long a program may take to end after SIGTERM, and how long its
	// pipes may stay open after it ended.
	grace = 2 * time.Second
	// DefaultTimeout is the time a program may take, in seconds.
	DefaultTimeout = 60
	// DefaultMaxOutput is how many bytes a program may print: 50 MiB.
	DefaultMaxOutput = 52428800
)

// job is one run of a program.
type job struct {
	path      string // absolute
	args      []string
	dir       string
	env       []string
	stdin     []byte
	maxOutput int
	stderr    *lineLog
}

var (
	errTooMuch = errors.New("printed too much")
	errExpired = errors.New("ran out of time")
)

// pipes are the ends of the three streams that stay with us.
type pipes struct {
	in       *os.File // write end
	out, err *os.File // read ends
	theirs   []*os.File
}

func openPipes(cmd *exec.Cmd) (*pipes, error) {
	p := &pipes{}
	open := func(ours, theirs **os.File, writeOurs bool) error {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		*ours, *theirs = r, w
		if writeOurs {
			*ours, *theirs = w, r
		}
		p.theirs = append(p.theirs, *theirs)
		return nil
	}
	var in, out, errs *os.File
	err := open(&p.in, &in, true)
	if err == nil {
		err = open(&p.out, &out, false)
	}
	if err == nil {
		err = open(&p.err, &errs, false)
	}
	if err != nil {
		p.closeAll()
		return nil, err
	}
	// Files, not readers: then Wait waits for the program alone, and not for
	// whoever else inherited a stream.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	return p, nil
}

func (p *pipes) closeTheirs() {
	for _, f := range p.theirs {
		_ = f.Close()
	}
}

func (p *pipes) closeOurs() {
	for _, f := range []*os.File{p.in, p.out, p.err} {
		if f != nil {
			_ = f.Close()
		}
	}
}

func (p *pipes) closeAll() {
	p.closeTheirs()
	p.closeOurs()
}

// run starts the program, feeds it, and returns what it printed and its exit
// code. When it returns, the program has been waited for, its process group is
// gone and every goroutine has ended.
func (j *job) run(ctx context.Context, timeout time.Duration) (stdout []byte, code int, err error) {
	if ctx.Err() != nil {
		return nil, 0, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errExpired)
	defer cancel()
	stop, overflow := context.WithCancelCause(ctx)
	defer overflow(nil)

	cmd := &exec.Cmd{Path: j.path, Args: append([]string{j.path}, j.args...), Dir: j.dir, Env: j.env}
	ownGroup(cmd)
	p, err := openPipes(cmd)
	if err != nil {
		return nil, 0, err
	}
	if err := cmd.Start(); err != nil {
		p.closeAll()
		return nil, 0, fmt.Errorf("cannot be started: %w", startError(err))
	}
	p.closeTheirs()
	streams := j.serve(p, overflow, &stdout)
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()

	select {
	case err = <-waited:
	case <-stop.Done():
		terminate(cmd.Process)
		t := time.NewTimer(grace)
		select {
		case err = <-waited:
		case <-t.C:
			kill(cmd.Process)
			err = <-waited
		}
		t.Stop()
	}
	// What the program left running behind it would hold the streams open.
	kill(cmd.Process)
	drain(p, streams)
	if cause := context.Cause(stop); cause != nil {
		return nil, 0, cause
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, 0, err
	}
	return stdout, exitCode(cmd.ProcessState), nil
}

// startError drops the path, which the caller names.
func startError(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// serve moves the three streams; the channel is closed when all have ended.
func (j *job) serve(p *pipes, overflow context.CancelCauseFunc, stdout *[]byte) <-chan struct{} {
	one := make(chan struct{}, 3)
	go func() {
		defer func() { one <- struct{}{} }()
		// A program that does not read its input is no error, so the result of
		// the write says nothing that its exit code does not say.
		_, _ = p.in.Write(j.stdin)
		_ = p.in.Close()
	}()
	go func() {
		defer func() { one <- struct{}{} }()
		// An error means that a process outside the group still holds the stream
		// after the program ended: what it printed until then is its output.
		out, _ := io.ReadAll(io.LimitReader(p.out, int64(j.maxOutput)+1))
		if len(out) > j.maxOutput {
			overflow(errTooMuch)
			return
		}
		*stdout = out
	}()
	go func() {
		defer func() { one <- struct{}{} }()
		j.stderr.consume(p.err)
	}()
	all := make(chan struct{})
	go func() {
		for range 3 {
			<-one
		}
		close(all)
	}()
	return all
}

// drain waits for the streams to end; a process outside the group that still
// holds one is not waited for any longer than the grace.
func drain(p *pipes, streams <-chan struct{}) {
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-streams:
	case <-t.C:
	}
	p.closeOurs()
	<-streams
}
