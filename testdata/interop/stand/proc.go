package stand

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// FreePort is a TCP port of 127.0.0.1 that nobody listened on a moment ago.
func FreePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// Server is a process that the test started.
type Server struct {
	name string
	cmd  *exec.Cmd
	log  string
	done chan struct{}
	once sync.Once
	hold *os.File
}

// Start starts a server in dir. It is stopped when the test ends, and also when
// the test dies: the script guard.sh kills it as soon as its input closes.
func Start(t testing.TB, name, dir string, env []string, args ...string) *Server {
	t.Helper()
	logFile, err := os.CreateTemp(t.TempDir(), "*.log")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = logFile.Close() }()
	in, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	s := &Server{name: name, log: logFile.Name(), done: make(chan struct{}), hold: hold}
	s.cmd = exec.Command("bash", append([]string{filepath.Join(Here(), "guard.sh")}, args...)...)
	s.cmd.Dir, s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = dir, in, logFile, logFile
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatalf("%s cannot be started: %v", name, err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.done)
	}()
	t.Cleanup(s.Kill)
	return s
}

// Kill ends the server at once, as a crash would, and waits for its end.
func (s *Server) Kill() {
	s.once.Do(func() {
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.done
		_ = s.hold.Close()
	})
}

// Log is what the server wrote.
func (s *Server) Log() string {
	text, _ := os.ReadFile(s.log)
	return string(text)
}

// Ready waits until a GET of address gives a status below 500, and fails with
// the end of the server's log when that takes longer than limit.
func (s *Server) Ready(t testing.TB, address string, limit time.Duration) {
	t.Helper()
	s.wait(t, limit, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		resp, err := plain().Do(req)
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		if resp.StatusCode >= 500 {
			return fmt.Errorf("status %d", resp.StatusCode)
		}
		return nil
	})
}

// Listening waits until the server accepts connections.
func (s *Server) Listening(t testing.TB, address string, limit time.Duration) {
	t.Helper()
	s.wait(t, limit, func(ctx context.Context) error {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err
	})
}

func (s *Server) wait(t testing.TB, limit time.Duration, try func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	for {
		err := try(ctx)
		if err == nil {
			return
		}
		select {
		case <-s.done:
			t.Fatalf("%s ended before it was ready:\n%s", s.name, tail(s.Log(), 30))
		case <-ctx.Done():
			t.Fatalf("%s was not ready after %v (%v):\n%s", s.name, limit, err, tail(s.Log(), 30))
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// plain is a client of net/http with nothing of ours, and without kept
// connections.
func plain() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
}
