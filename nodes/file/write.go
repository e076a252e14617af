package file

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func writeFile() nodes.Node {
	text, json, lines := nodes.Only("format", "text"), nodes.Only("format", "json"), nodes.Only("format", "jsonl")
	return nodes.Node{Run: runWriteFile, Spec: nodes.Spec{
		Name:    "write_file",
		Summary: "Write a text, a JSON value or JSON lines to a file",
		Doc: pathRule + "\n\nMissing parent folders are made, and an existing file is replaced in one step: the content goes to a temporary file " +
			"in the same folder, which then takes the place of the old one, so that nobody ever sees half a file and a step that fails or is stopped leaves the old one. " +
			"The file keeps the mode of the one it replaces; a new one gets the usual mode for new files. A symbolic link, and anything else that is no regular file, is refused as a target.\n\n" +
			"`append` adds to the end of the file in one write. It is refused on a step with retries, because a repetition could write the same lines twice.",
		Params: []nodes.Param{
			pathParam("the file to write"),
			{Name: "format", Type: nodes.String, Enum: []string{"text", "json", "jsonl"}, Default: "text", Help: "text as it is, one JSON value, or one JSON value in each line"},
			{Name: "content", Type: nodes.String, Interpolate: true, When: text, Help: "the text to write"},
			{Name: "content", Type: nodes.Object, Or: []nodes.Type{nodes.Array}, Interpolate: true, When: json, Help: "the value to write"},
			{Name: "content", Type: nodes.Array, Interpolate: true, When: lines, Help: "the values to write, one in each line"},
			{Name: "source_key", Type: nodes.String, Role: nodes.Source, Help: "context value to write: any for json, an array for jsonl, a string, number or boolean for text"},
			{Name: "append", Type: nodes.Boolean, Default: false, NoRetries: true, When: nodes.Only("format", "text", "jsonl"), Help: "add to the end of the file instead of replacing it"},
			outputKey("write_file"),
		},
		Choices: []nodes.Choice{{Params: []string{"content", "source_key"}, Required: true}},
		Outputs: []nodes.OutputSpec{
			{Suffix: "_path", Type: nodes.String, Help: "absolute path of the file"},
			{Suffix: "_bytes", Type: nodes.Integer, Help: "number of bytes written"},
		},
		Examples: []nodes.Example{{
			Title:   "Store rows as JSON lines",
			Lua:     `nodes.write_file{ path = "out/rows.jsonl", source_key = "rows", format = "jsonl" }`,
			Context: `{"rows": [{"text": "one"}, {"text": "two"}]}`,
			Needs:   "files",
		}},
	}}
}

func runWriteFile(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	write, err := content(call)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p, err := find(call, "path", false, true)
	if err != nil {
		return nil, err
	}
	defer p.close()
	var n int64
	if call.Bool("append") {
		n, err = p.add(ctx, write)
	} else {
		n, err = p.replace(ctx, write)
	}
	if err != nil {
		return nil, call.Errorf("path", "%w", plain(err, p.full))
	}
	return nodes.Output{"_path": p.full, "_bytes": n}, nil
}

// writer writes the content of a file.
type writer func(w io.Writer) error

// content checks what is to be written, before any file is touched.
func content(call *nodes.Call) (writer, error) {
	param, v := "content", call.Value("content")
	if call.Has("source_key") {
		var err error
		if v, err = call.Source("source_key"); err != nil {
			return nil, err
		}
		param = "source_key"
	}
	switch call.String("format") {
	case "json":
		return func(w io.Writer) error {
			if err := value.WriteJSON(w, v); err != nil {
				return err
			}
			_, err := io.WriteString(w, "\n")
			return err
		}, nil
	case "jsonl":
		list, err := value.AsList(v)
		if err != nil {
			return nil, call.Errorf(param, "format=\"jsonl\" writes the elements of an array: %w", err)
		}
		return jsonLines(list), nil
	}
	text, err := asText(v)
	if err != nil {
		return nil, call.Errorf(param, "%w", err)
	}
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}, nil
}

func asText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64, float64:
		text, err := value.Marshal(v)
		return string(text), err
	}
	return "", fmt.Errorf("is %s, but format=\"text\" writes a string, number or boolean; use format=\"json\" or \"jsonl\"", nodes.Describe(v))
}

func jsonLines(list value.List) writer {
	return func(w io.Writer) error {
		for i := range list.Len() {
			if err := value.WriteJSON(w, list.At(i)); err != nil {
				return value.InIndex(err, i)
			}
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		return nil
	}
}

// guarded passes bytes on until the context ends, and counts them.
type guarded struct {
	ctx context.Context
	w   io.Writer
	n   int64
}

// Write implements io.Writer.
func (g *guarded) Write(b []byte) (int, error) {
	written := 0
	for written < len(b) {
		if g.ctx.Err() != nil {
			return written, context.Cause(g.ctx)
		}
		n, err := g.w.Write(b[written:min(len(b), written+1<<20)])
		written += n
		g.n += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// emit writes the content to w in large pieces.
func emit(ctx context.Context, w io.Writer, write writer) (int64, error) {
	g := &guarded{ctx: ctx, w: w}
	buffered := bufio.NewWriterSize(g, 1<<16)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return g.n, err
}
