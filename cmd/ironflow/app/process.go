package app

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	glua "github.com/yuin/gopher-lua"
)

// Process is what a command gets from the operating system. Only this file
// reads it from there.
type Process struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string // "NAME=value"
	Dir     string   // absolute working directory
}

// Main runs the command on the operating system's process and exits.
func (a *App) Main() {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	// net/http writes to the standard logger what a misbehaving server sends
	// behind its answer; nothing from there may reach a terminal.
	log.SetOutput(io.Discard)
	// The largest array index that a script can make room for at once; see the
	// limits in docs/reference/settings.md. The one foreign global that the
	// command sets.
	glua.MaxArrayIndex = 1 << 24
	ctx, stop := signalContext()
	code := a.Run(ctx, Process{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Environ: os.Environ(), Dir: dir,
	})
	stop()
	os.Exit(code)
}

// signalContext is cancelled by the first SIGINT or SIGTERM, with a cause that
// names it; the second one ends the process at once.
func signalContext() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		var first os.Signal
		select {
		case first = <-ch:
			cancel(&signalError{first})
		case <-done:
			return
		}
		select {
		case second := <-ch:
			if second == os.Interrupt {
				os.Exit(ExitSIGINT)
			}
			os.Exit(ExitSIGTERM)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		close(done)
	}
}
