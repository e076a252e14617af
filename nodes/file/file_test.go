package file

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
)

func TestSpecs(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := Register(reg); err != nil {
		t.Fatal(err)
	}
	for _, n := range reg.List() {
		nodetest.CheckSpec(t, &n.Spec)
	}
}

// put writes files below the working directory of a bench; a name that ends
// with a slash is a folder.
func put(t *testing.T, b *nodetest.Bench, files map[string]string) {
	t.Helper()
	for name, content := range files {
		full := filepath.Join(b.Env.Files.WorkDir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// shown replaces the directory of the bench in an error text.
func shown(b *nodetest.Bench, err error) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(err.Error(), b.Env.Files.WorkDir, "DIR")
}

func TestReadFile(t *testing.T) {
	tests := []struct {
		name   string
		params map[string]any
		ctx    map[string]any
		max    int64
		want   string
		err    string
	}{
		{name: "text", params: map[string]any{"path": "a.txt"}, want: "héllo\n"},
		{name: "byte order mark", params: map[string]any{"path": "bom.txt"}, want: "x"},
		{name: "base64", params: map[string]any{"path": "bom.txt", "encoding": "base64"}, want: base64.StdEncoding.EncodeToString([]byte("\xEF\xBB\xBFx"))},
		{name: "binary", params: map[string]any{"path": "bin", "encoding": "base64"}, want: base64.StdEncoding.EncodeToString([]byte("a\nb\xff"))},
		{name: "not UTF-8", params: map[string]any{"path": "bin"}, err: `read_file: path: "DIR/bin": is no UTF-8 text: byte 0xff in line 2; convert it to UTF-8, or read it with encoding="base64"`},
		{name: "empty", params: map[string]any{"path": "empty"}, want: ""},
		{name: "missing", params: map[string]any{"path": "none.txt"}, err: `read_file: path: "DIR/none.txt": no such file or directory`},
		{name: "missing folder", params: map[string]any{"path": "no/none.txt"}, err: `read_file: path: "DIR/no/none.txt": no such file or directory`},
		{name: "folder", params: map[string]any{"path": "sub"}, err: `read_file: path: "DIR/sub": is a directory, want a regular file`},
		{name: "through a file", params: map[string]any{"path": "a.txt/x"}, err: `read_file: path: "DIR/a.txt/x": not a directory`},
		{name: "exactly the limit", params: map[string]any{"path": "a.txt", "max_bytes": 7}, want: "héllo\n"},
		{name: "over max_bytes", params: map[string]any{"path": "a.txt", "max_bytes": 6}, err: `read_file: path: "DIR/a.txt": has 7 bytes, allowed: 6 (max_bytes)`},
		{name: "over the operator's limit", params: map[string]any{"path": "a.txt", "max_bytes": 100}, max: 5, err: `read_file: path: "DIR/a.txt": has 7 bytes, allowed: 5 (IRONFLOW_MAX_FILE_BYTES)`},
		{name: "no path", params: map[string]any{"path": ""}, err: `read_file: path: is empty`},
		{name: "resolved to nothing", params: map[string]any{"path": "${ctx.none}"}, err: `read_file: path: is empty`},
		{name: "NUL", params: map[string]any{"path": "a\x00b"}, err: `read_file: path: contains a NUL character`},
		{name: "link", params: map[string]any{"path": "link"}, want: "héllo\n"},
		{name: "link to nowhere", params: map[string]any{"path": "dangling"}, err: `read_file: path: "DIR/dangling" is a symbolic link that leads nowhere`},
		{name: "placeholder", params: map[string]any{"path": "${ctx.p}"}, ctx: map[string]any{"p": "sub/../a.txt"}, want: "héllo\n"},
		{name: "placeholder and link", params: map[string]any{"path": "${ctx.p}"}, ctx: map[string]any{"p": "link"}, want: "héllo\n"},
		{name: "encoding", params: map[string]any{"path": "a", "encoding": "utf8"}, err: `read_file: encoding: got "utf8", want one of "text" or "base64"`},
		{name: "max_bytes", params: map[string]any{"path": "a", "max_bytes": 0}, err: `read_file: max_bytes: got 0, allowed: at least 1 (bytes)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := nodetest.New(t)
			put(t, b, map[string]string{"a.txt": "héllo\n", "bom.txt": "\xEF\xBB\xBFx", "bin": "a\nb\xff", "empty": "", "sub/": ""})
			for link, to := range map[string]string{"link": "a.txt", "dangling": "nowhere"} {
				if err := os.Symlink(to, filepath.Join(b.Env.Files.WorkDir, link)); err != nil {
					t.Fatal(err)
				}
			}
			b.Env.Files.MaxBytes = tt.max
			got, err := b.Run(readFile(), tt.params, tt.ctx)
			if shown(b, err) != tt.err {
				t.Fatalf("got  %v\nwant %s", shown(b, err), tt.err)
			}
			if tt.err == "" && (got["file_content"] != tt.want || got["file_success"] != true || !filepath.IsAbs(got["file_path"].(string))) {
				t.Errorf("got %v", got)
			}
		})
	}
}

// A path that context data helped to make stays inside the allowed directories,
// whatever it goes through; one that is written in full does not.
func TestPathRule(t *testing.T) {
	b := nodetest.New(t)
	work := b.Env.Files.WorkDir
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, b, map[string]string{"work/in.txt": "in", "flow/f.txt": "flow", "extra/e.txt": "extra"})
	secret := filepath.Join(outside, "secret.txt")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Env.Files.WorkDir, b.Env.FlowDir = filepath.Join(work, "work"), filepath.Join(work, "flow")
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(b.Env.Files.WorkDir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(secret, "file-link")
	link(outside, "dir-link")
	link(filepath.Join(work, "flow"), "flow-link")
	link("../../..", "up-link")
	refused := []string{secret, "../extra/e.txt", "file-link", "dir-link/secret.txt", "dir-link/none.txt", "/etc/passwd", "../../../../etc/passwd",
		"sub/../../extra/e.txt", filepath.Join(work, "extra", "e.txt"), "up-link/etc/passwd", work, ".."}
	for _, p := range refused {
		got, err := b.Run(readFile(), map[string]any{"path": "${ctx.p}"}, map[string]any{"p": p})
		if err == nil || !strings.Contains(err.Error(), "is outside the directories") && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, %v", p, got, err)
		}
		if _, err := b.Run(writeFile(), map[string]any{"path": "${ctx.p}/new", "content": "x"}, map[string]any{"p": p}); err == nil {
			t.Errorf("%s: written", p)
		}
		if _, err := b.Run(listFiles(), map[string]any{"path": "${ctx.p}"}, map[string]any{"p": p}); err == nil {
			t.Errorf("%s: listed", p)
		}
	}
	for p, want := range map[string]string{"in.txt": "in", "../flow/f.txt": "flow", filepath.Join(work, "flow", "f.txt"): "flow", "flow-link/f.txt": "flow"} {
		if got, err := b.Run(readFile(), map[string]any{"path": "${ctx.p}"}, map[string]any{"p": p}); err != nil || got["file_content"] != want {
			t.Errorf("%s: got %v, %v", p, got, err)
		}
	}
	b.Env.Files.Allow = []string{filepath.Join(work, "extra")}
	if got, err := b.Run(readFile(), map[string]any{"path": "../${ctx.d}/e.txt"}, map[string]any{"d": "extra"}); err != nil || got["file_content"] != "extra" {
		t.Errorf("allowed: got %v, %v", got, err)
	}
	for _, p := range []string{secret, "file-link", "dir-link/secret.txt"} {
		if got, err := b.Run(readFile(), map[string]any{"path": p}, nil); err != nil || got["file_content"] != "secret" {
			t.Errorf("in full, %s: got %v, %v", p, got, err)
		}
	}
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder outside holds %v, %v", entries, err)
	}
	_, err = b.Run(readFile(), map[string]any{"path": "${ctx.p}"}, map[string]any{"p": secret})
	want := fmt.Sprintf("read_file: path: %q is outside the directories that a path with placeholders may point into (%q, %q and %q); allow another one with --allow-path DIR, or write the path in full",
		secret, b.Env.Files.WorkDir, b.Env.FlowDir, b.Env.Files.Allow[0])
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestWriteFile(t *testing.T) {
	in := map[string]any{"text": "from context", "n": 3, "rows": []any{map[string]any{"b": 1, "a": "é"}, []any{1, nil}, "x"}, "obj": map[string]any{"k": []any{}}, "none": nil,
		"vectors": value.NewVectors([]float64{1, 2, 3, 4}, 2)}
	tests := []struct {
		name    string
		params  map[string]any
		retries int
		want    string
		bytes   int64
		err     string
	}{
		{name: "text", params: map[string]any{"content": "a ${ctx.n}"}, want: "a 3", bytes: 3},
		{name: "empty", params: map[string]any{"content": ""}, want: ""},
		{name: "source", params: map[string]any{"source_key": "text"}, want: "from context", bytes: 12},
		{name: "number", params: map[string]any{"source_key": "n"}, want: "3", bytes: 1},
		{name: "json", params: map[string]any{"source_key": "obj", "format": "json"}, want: "{\"k\":[]}\n", bytes: 9},
		{name: "json of a text", params: map[string]any{"source_key": "text", "format": "json"}, want: "\"from context\"\n", bytes: 15},
		{name: "json content", params: map[string]any{"content": map[string]any{"v": "${ctx.rows[1]}"}, "format": "json"}, want: "{\"v\":[1,null]}\n", bytes: 15},
		{name: "jsonl", params: map[string]any{"source_key": "rows", "format": "jsonl"}, want: "{\"a\":\"é\",\"b\":1}\n[1,null]\n\"x\"\n", bytes: 30},
		{name: "jsonl of a list", params: map[string]any{"source_key": "vectors", "format": "jsonl"}, want: "[1,2]\n[3,4]\n", bytes: 12},
		{name: "jsonl content", params: map[string]any{"content": []any{"${ctx.n}", "n=${ctx.n}"}, "format": "jsonl"}, want: "3\n\"n=3\"\n", bytes: 8},
		{name: "text of an object", params: map[string]any{"source_key": "obj"}, err: `write_file: source_key: is an object, but format="text" writes a string, number or boolean; use format="json" or "jsonl"`},
		{name: "text of null", params: map[string]any{"source_key": "none"}, err: `write_file: source_key: is null, but format="text" writes a string, number or boolean; use format="json" or "jsonl"`},
		{name: "jsonl of an object", params: map[string]any{"source_key": "obj", "format": "jsonl"}, err: `write_file: source_key: format="jsonl" writes the elements of an array: expected an array, got an object`},
		{name: "both", params: map[string]any{"source_key": "obj", "content": "x"}, err: `write_file: source_key: cannot be combined with content; give only one of content, source_key`},
		{name: "neither", params: nil, err: `write_file: content: is required, or else source_key`},
		{name: "text for json", params: map[string]any{"content": "x", "format": "json"}, err: `write_file: content: got a string, want an object or an array`},
		{name: "append with json", params: map[string]any{"source_key": "obj", "format": "json", "append": true}, err: `write_file: append: has no effect with format="json"; it belongs to format="text" or "jsonl"`},
		{name: "append with retries", params: map[string]any{"content": "x", "append": true}, retries: 1, err: `write_file: append: cannot be true on a step with retries, because a repetition would do the work twice; remove :retries(...)`},
		{name: "missing source", params: map[string]any{"source_key": "row"}, err: `write_file: source_key: "row" is not in the context; did you mean "rows"? (a step sees the initial context and the steps that it depends on)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := nodetest.New(t)
			b.Retries = tt.retries
			params := map[string]any{"path": "deep/er/out.txt"}
			for k, v := range tt.params {
				params[k] = v
			}
			got, err := b.Run(writeFile(), params, in)
			if shown(b, err) != tt.err {
				t.Fatalf("got  %v\nwant %s", shown(b, err), tt.err)
			}
			path := filepath.Join(b.Env.Files.WorkDir, "deep/er/out.txt")
			if tt.err != "" {
				if _, err := os.Stat(filepath.Join(b.Env.Files.WorkDir, "deep")); err == nil {
					t.Error("a refused write touched the disk")
				}
				return
			}
			content, err := os.ReadFile(path)
			if err != nil || string(content) != tt.want {
				t.Errorf("the file holds %q, %v; want %q", content, err, tt.want)
			}
			if !value.Equal(got, map[string]any{"write_file_path": path, "write_file_bytes": int64(len(tt.want)), "write_file_success": true}) {
				t.Errorf("got %v", got)
			}
			only(t, filepath.Dir(path), "out.txt")
		})
	}
}

// only fails the test when a folder holds anything else.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("%s holds %q, want %q", dir, got, names)
	}
}

func TestAppend(t *testing.T) {
	b := nodetest.New(t)
	for i, params := range []map[string]any{
		{"source_key": "rows", "format": "jsonl"}, {"content": "end", "format": "text"},
	} {
		params["path"], params["append"] = "log.jsonl", true
		if _, err := b.Run(writeFile(), params, map[string]any{"rows": []any{1, 2}}); err != nil {
			t.Fatal(i, err)
		}
	}
	content, err := os.ReadFile(filepath.Join(b.Env.Files.WorkDir, "log.jsonl"))
	if err != nil || string(content) != "1\n2\nend" {
		t.Errorf("got %q, %v", content, err)
	}
}

func TestCancelledWriteLeavesNothing(t *testing.T) {
	b := nodetest.New(t)
	put(t, b, map[string]string{"out/old.txt": "old"})
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stopped on purpose")
	cancel(why)
	for _, name := range []string{"out/new.txt", "out/old.txt"} {
		if _, err := b.RunContext(ctx, writeFile(), map[string]any{"path": name, "content": "x"}, nil); !errors.Is(err, why) {
			t.Errorf("got %v", err)
		}
	}
	// In the middle of the content.
	p, err := direct(filepath.Join(b.Env.Files.WorkDir, "out/old.txt"), false, true)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	ctx, cancel = context.WithCancelCause(t.Context())
	_, err = p.replace(ctx, func(w io.Writer) error {
		for i := range 100 {
			if i == 50 {
				cancel(why)
			}
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	only(t, filepath.Join(b.Env.Files.WorkDir, "out"), "old.txt")
	if content, _ := os.ReadFile(filepath.Join(b.Env.Files.WorkDir, "out/old.txt")); string(content) != "old" {
		t.Errorf("the old file holds %q", content)
	}
	// Content that cannot be written as JSON.
	if _, err := p.replace(t.Context(), func(io.Writer) error { return why }); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	only(t, filepath.Join(b.Env.Files.WorkDir, "out"), "old.txt")
}

func TestListFiles(t *testing.T) {
	files := map[string]string{"a.md": "1", "b.txt": "22", "sub/c.md": "333", "sub/deep/d.md": "", "sub-x/e.md": "5", ".hidden/f.md": "x", ".g.md": "x", "empty/": ""}
	tests := []struct {
		pattern any
		want    string
	}{
		{nil, "a.md:1 b.txt:2 sub-x/e.md:1 sub/c.md:3 sub/deep/d.md:0"},
		{"*", "a.md:1 b.txt:2"},
		{"**", "a.md:1 b.txt:2 sub-x/e.md:1 sub/c.md:3 sub/deep/d.md:0"},
		{"**/*.md", "a.md:1 sub-x/e.md:1 sub/c.md:3 sub/deep/d.md:0"},
		{"sub/**/*.md", "sub/c.md:3 sub/deep/d.md:0"},
		{"sub*/*", "sub-x/e.md:1 sub/c.md:3"},
		{"**/deep/*", "sub/deep/d.md:0"},
		{"{a,b}.{md,txt}", "a.md:1 b.txt:2"},
		{"{sub/c,a}.md", "a.md:1 sub/c.md:3"},
		{"[!a].txt", ""},
		{"[^a].txt", "b.txt:2"},
		{"?.md", "a.md:1"},
		{".*", ".g.md:1"},
		{"**/.*", ".g.md:1"},
		{".hidden/*", ".hidden/f.md:1"},
		{"./a.md", "a.md:1"},
		{"*.pdf", ""},
		{"${ctx.ext}", "b.txt:2"},
	}
	b := nodetest.New(t)
	put(t, b, files)
	for _, link := range []string{"link.md", "sub/link"} {
		if err := os.Symlink(filepath.Join(b.Env.Files.WorkDir, "a.md"), filepath.Join(b.Env.Files.WorkDir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{".", b.Env.Files.WorkDir} {
		for _, tt := range tests {
			params := map[string]any{"path": dir}
			if tt.pattern != nil {
				params["pattern"] = tt.pattern
			}
			got, err := b.Run(listFiles(), params, map[string]any{"ext": "**/*.txt"})
			if err != nil {
				t.Errorf("%v: %v", tt.pattern, err)
				continue
			}
			var lines []string
			for _, e := range got["files"].([]any) {
				f := e.(map[string]any)
				path := f["path"].(string)
				if dir != "." {
					rel, err := filepath.Rel(dir, path)
					if err != nil {
						t.Fatal(err)
					}
					path = rel
				}
				if f["name"] != filepath.Base(path) {
					t.Errorf("name %v of %s", f["name"], path)
				}
				lines = append(lines, fmt.Sprintf("%s:%d", path, f["bytes"]))
			}
			if text := strings.Join(lines, " "); text != tt.want || got["files_count"] != int64(len(lines)) {
				t.Errorf("%v: got %s\nwant %s", tt.pattern, text, tt.want)
			}
		}
	}
	// What is listed can be read.
	got, err := b.Run(listFiles(), map[string]any{"path": "sub"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := got["files"].([]any)[0].(map[string]any)["path"]
	if out, err := b.Run(readFile(), map[string]any{"path": "${ctx.p}"}, map[string]any{"p": first}); err != nil || out["file_content"] != "333" {
		t.Errorf("%v: %v, %v", first, out, err)
	}
}

func TestListFilesErrors(t *testing.T) {
	b := nodetest.New(t)
	put(t, b, map[string]string{"a": "", "b": "", "c": ""})
	for _, tt := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{"path": "none"}, `list_files: path: "DIR/none": no such file or directory`},
		{map[string]any{"path": "a"}, `list_files: path: "DIR/a": is a file, want a folder; give the file's name as the pattern`},
		{map[string]any{"path": ".", "max_entries": 2}, `list_files: path: more than 2 files match; raise max_entries or narrow the pattern`},
		{map[string]any{"path": ".", "max_entries": 3}, ``},
		{map[string]any{"path": ".", "max_entries": 0}, `list_files: max_entries: got 0, allowed: 1..1000000 (files)`},
		{map[string]any{"path": ".", "pattern": "/a"}, `list_files: pattern: "/a": it is relative to the folder, so it has no empty name, "." or ".." between slashes`},
		{map[string]any{"path": ".", "pattern": "../*"}, `list_files: pattern: "../*": it is relative to the folder, so it has no empty name, "." or ".." between slashes`},
		{map[string]any{"path": ".", "pattern": "a**"}, `list_files: pattern: "a**": ** stands for folders and must be a whole name between slashes; write * inside a name`},
		{map[string]any{"path": ".", "pattern": "[a"}, `list_files: pattern: "[a": "[a" is malformed; a set is written [a-z] or [^a-z], and \ needs a character behind it`},
		{map[string]any{"path": ".", "pattern": "{a,b"}, `list_files: pattern: "{a,b": it has a { without its }; write \{ for the character`},
		{map[string]any{"path": ".", "pattern": "a}"}, `list_files: pattern: "a}": it has a } without a { in front; write \} for the character`},
		{map[string]any{"path": ".", "pattern": strings.Repeat("{a,b}", 9)}, `list_files: pattern: "` + strings.Repeat("{a,b}", 9) + `": its braces stand for more than 256 patterns`},
		{map[string]any{"path": ".", "pattern": strings.Repeat("a", 1025)}, `list_files: pattern: has 1025 bytes, allowed: 1024`},
	} {
		if _, err := b.Run(listFiles(), tt.params, nil); shown(b, err) != tt.want {
			t.Errorf("%v:\ngot  %s\nwant %s", tt.params, shown(b, err), tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.RunContext(ctx, listFiles(), map[string]any{"path": "."}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
