package file

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes"
)

func pathParam(help string) nodes.Param {
	return nodes.Param{Name: "path", Type: nodes.String, Required: true, Interpolate: true, NonEmpty: true, Help: help}
}

func outputKey(def string) nodes.Param {
	return nodes.Param{Name: "output_key", Type: nodes.String, Default: def, Role: nodes.OutputKey, Help: "start of the published keys"}
}

const pathRule = "A relative path is taken from the working directory. A path with placeholders must lie, symbolic links followed, " +
	"inside the working directory, the directory of the flow or a directory given with `--allow-path`; a path that the flow writes in full may point anywhere."

func readFile() nodes.Node {
	return nodes.Node{Run: runReadFile, Spec: nodes.Spec{
		Name:    "read_file",
		Summary: "Read a file as text or base64",
		Doc: pathRule + "\n\nOnly regular files are read, at most 50 MiB (`IRONFLOW_MAX_FILE_BYTES`). " +
			"Text must be valid UTF-8, and a byte order mark at its start is dropped.",
		Params: []nodes.Param{
			pathParam("the file"),
			outputKey("file"),
			{Name: "encoding", Type: nodes.String, Enum: []string{"text", "base64"}, Default: "text", Help: "what `_content` holds: the text, or the bytes in base64"},
			{Name: "max_bytes", Type: nodes.Integer, Range: nodes.AtLeast(1), Unit: "bytes", Help: "refuse a larger file; the limit of the operator holds as well"},
		},
		Outputs: []nodes.OutputSpec{
			{Suffix: "_content", Type: nodes.String, Help: "the text, or the base64 form of the bytes"},
			{Suffix: "_path", Type: nodes.String, Help: "absolute path of the file"},
		},
		Examples: []nodes.Example{{
			Title:   "Read a document",
			Lua:     `nodes.read_file{ path = "${ctx.document_path}", output_key = "document" }`,
			Context: `{"document_path": "README.md"}`,
		}},
	}}
}

// limit returns the size up to which files are read in this environment.
func limit(env *nodes.Env) int64 {
	if env.Files.MaxBytes > 0 {
		return env.Files.MaxBytes
	}
	return nodes.DefaultMaxFileBytes
}

func runReadFile(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	p, err := find(call, "path", true, false)
	if err != nil {
		return nil, err
	}
	defer p.close()
	most, hint := limit(call.Env()), "IRONFLOW_MAX_FILE_BYTES"
	if call.Has("max_bytes") && int64(call.Int("max_bytes")) < most {
		most, hint = int64(call.Int("max_bytes")), "max_bytes"
	}
	data, err := p.read(ctx, most, hint)
	if err != nil {
		return nil, call.Errorf("path", "%w", plain(err, p.full))
	}
	out := nodes.Output{"_path": p.full}
	if call.String("encoding") == "base64" {
		out["_content"] = base64.StdEncoding.EncodeToString(data)
		return out, nil
	}
	text, err := decodeText(data)
	if err != nil {
		return nil, call.Errorf("path", "%w", plain(err, p.full))
	}
	out["_content"] = text
	return out, nil
}

// decodeText checks that data is UTF-8 and drops a byte order mark.
func decodeText(data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if utf8.Valid(data) {
		return string(data), nil
	}
	at, line := 0, 1
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		at += n
	}
	return "", fmt.Errorf("is no UTF-8 text: byte 0x%02x in line %d; convert it to UTF-8, or read it with encoding=\"base64\"", data[at], line)
}

// read opens the file without waiting, makes sure that it is a regular one,
// and reads at most limit bytes.
func (p *place) read(ctx context.Context, limit int64, setting string) ([]byte, error) {
	f, err := p.root.OpenFile(p.name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		if info, e := p.root.Lstat(p.name); e == nil && !info.Mode().IsRegular() && info.Mode()&os.ModeSymlink == 0 {
			return nil, fmt.Errorf("is %s, want a regular file", kindOf(info.Mode()))
		}
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("is %s, want a regular file", kindOf(info.Mode()))
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("has %d bytes, allowed: %d (%s)", info.Size(), limit, setting)
	}
	data := make([]byte, 0, info.Size()+1)
	for {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):min(cap(data), len(data)+1<<20)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return nil, fmt.Errorf("has more than %d bytes, which is the limit (%s)", limit, setting)
		}
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
