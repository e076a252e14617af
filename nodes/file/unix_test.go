//go:build unix

package file

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes/nodetest"
)

// A named pipe without a writer, and devices, are refused at once.
func TestSpecialFiles(t *testing.T) {
	b := nodetest.New(t)
	pipe := filepath.Join(b.Env.Files.WorkDir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(b.Env.Files.WorkDir, "target")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", filepath.Join(b.Env.Files.WorkDir, "link")); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for _, tt := range []struct {
		write  bool
		params map[string]any
		want   string
	}{
		{false, map[string]any{"path": "pipe"}, `read_file: path: "DIR/pipe": is a named pipe, want a regular file`},
		{false, map[string]any{"path": "/dev/zero"}, `read_file: path: "/dev/zero": is a device, want a regular file`},
		{true, map[string]any{"path": "pipe", "content": "x"}, `write_file: path: "DIR/pipe": is a named pipe, and only a regular file is replaced or added to`},
		{true, map[string]any{"path": "pipe", "content": "x", "append": true}, `write_file: path: "DIR/pipe": is a named pipe, and only a regular file is replaced or added to`},
		{true, map[string]any{"path": "link", "content": "x"}, `write_file: path: "DIR/link": is a symbolic link, and only a regular file is replaced or added to`},
		{true, map[string]any{"path": "link", "content": "x", "append": true}, `write_file: path: "DIR/link": is a symbolic link, and only a regular file is replaced or added to`},
		{true, map[string]any{"path": ".", "content": "x"}, `write_file: path: "DIR": is a directory, and only a regular file is replaced or added to`},
		{true, map[string]any{"path": "/dev/null", "content": "x"}, `write_file: path: "/dev/null": is a device, and only a regular file is replaced or added to`},
	} {
		node := readFile()
		if tt.write {
			node = writeFile()
		}
		if _, err := b.Run(node, tt.params, nil); shown(b, err) != tt.want {
			t.Errorf("got  %s\nwant %s", shown(b, err), tt.want)
		}
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	if content, _ := os.ReadFile(target); string(content) != "old" {
		t.Errorf("the target of a link holds %q", content)
	}
}

func TestMode(t *testing.T) {
	b := nodetest.New(t)
	usual := filepath.Join(b.Env.Files.WorkDir, "usual")
	f, err := os.OpenFile(usual, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	mode := func(name string) os.FileMode {
		info, err := os.Stat(filepath.Join(b.Env.Files.WorkDir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	for _, add := range []bool{false, true} {
		name := map[bool]string{false: "new", true: "new-add"}[add]
		params := map[string]any{"path": name, "content": "x", "append": add}
		if _, err := b.Run(writeFile(), params, nil); err != nil || mode(name) != mode("usual") {
			t.Errorf("append=%v: mode %v, usual %v, %v", add, mode(name), mode("usual"), err)
		}
		if err := os.Chmod(filepath.Join(b.Env.Files.WorkDir, name), 0o640); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Run(writeFile(), params, nil); err != nil || mode(name) != 0o640 {
			t.Errorf("append=%v: mode %v after a second write, %v", add, mode(name), err)
		}
	}
}

// While it is written, nobody else can read what a file with a narrow mode will
// hold.
func TestTemporaryFileIsPrivate(t *testing.T) {
	b := nodetest.New(t)
	dir := b.Env.Files.WorkDir
	p, err := direct(filepath.Join(dir, "out"), false, true)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	seen := false
	_, err = p.replace(t.Context(), func(w io.Writer) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".tmp") {
				info, err := e.Info()
				if err != nil {
					return err
				}
				seen = info.Mode().Perm() == 0o600
			}
		}
		_, err = w.Write([]byte("x"))
		return err
	})
	if err != nil || !seen {
		t.Errorf("the temporary file is not 0600, %v", err)
	}
}
