package process

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes"
)

const (
	// maxLine bounds one line of standard error in the log, in bytes.
	maxLine = 4096
	// maxLogged bounds what one run may write to the log through standard error.
	maxLogged = 1 << 20
	// tailBytes is how much of the end of standard error a failure carries.
	tailBytes = 4096
)

// lineLog passes standard error to a log line by line and keeps its end.
type lineLog struct {
	log func(line string)

	mu     sync.Mutex
	logged int
	tail   []byte
}

// consume reads until the end of r.
func (l *lineLog) consume(r io.Reader) {
	in := bufio.NewReaderSize(r, maxLine)
	for {
		// A line longer than the buffer comes in pieces, each a line of the log.
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			l.add(line)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (l *lineLog) add(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, line...)
	if len(l.tail) > 2*tailBytes {
		l.tail = append([]byte(nil), l.tail[len(l.tail)-tailBytes:]...)
	}
	if l.logged > maxLogged {
		return
	}
	l.logged += len(line)
	text := strings.TrimRight(string(line), "\r\n")
	if l.logged > maxLogged {
		text = "(the rest of the program's standard error is left out)"
	}
	if text != "" {
		l.log(nodes.Printable(text))
	}
}

// end returns the last part of standard error as text.
func (l *lineLog) end() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tail
	if len(t) > tailBytes {
		t = t[len(t)-tailBytes:]
		for len(t) > 0 && !utf8.RuneStart(t[0]) {
			t = t[1:]
		}
	}
	return nodes.Printable(strings.TrimSpace(string(t)))
}

// lastLine returns the last line of a text.
func lastLine(s string) string {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return s[i+1:]
	}
	return s
}
