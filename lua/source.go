package lua

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"
)

// sourceLimitVariable is the setting behind Options.MaxSourceBytes.
const sourceLimitVariable = "IRONFLOW_MAX_FLOW_SOURCE_BYTES"

// openFlag opens for reading without waiting for the other end of a pipe.
const openFlag = os.O_RDONLY | syscall.O_NONBLOCK

// readFlow reads a flow file as the user named it.
func readFlow(path string, limit int64) (string, error) {
	f, err := os.OpenFile(path, openFlag, 0)
	if err != nil {
		return "", fmt.Errorf("reading flow: %w", err)
	}
	defer f.Close()
	return readSource(f, path, limit)
}

// readSource reads Lua source from an open file: a regular one of at most
// limit bytes of UTF-8. Text that is too long or not UTF-8 is a *LoadError.
func readSource(f *os.File, shown string, limit int64) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("reading flow: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("reading flow: %w", &fs.PathError{Op: "open", Path: shown, Err: errors.New("is " + fileKind(info.Mode()) + ", want a regular file")})
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return "", fmt.Errorf("reading flow: %w", err)
	}
	if int64(len(data)) > limit {
		return "", &LoadError{File: shown, Kind: KindSource, Msg: fmt.Sprintf(
			"the Lua source of a flow, modules included, may have %d bytes; move data into files that steps read, or raise %s", limit, sourceLimitVariable)}
	}
	if !utf8.Valid(data) {
		line, at := invalidUTF8(data)
		return "", &LoadError{File: shown, Line: line, Kind: KindSource, Msg: fmt.Sprintf(
			"byte 0x%02x is not valid UTF-8; save the file as UTF-8", data[at])}
	}
	return string(data), nil
}

// invalidUTF8 returns the line (from 1) and the offset of the first byte that
// is not UTF-8.
func invalidUTF8(data []byte) (line, at int) {
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return 1 + strings.Count(string(data[:at]), "\n"), at
}

func fileKind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no file with content"
}
