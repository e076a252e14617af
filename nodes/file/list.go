package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes"
)

func listFiles() nodes.Node {
	return nodes.Node{Run: runListFiles, Spec: nodes.Spec{
		Name:    "list_files",
		Summary: "List the files of a folder that match a pattern",
		Doc: pathRule + "\n\nOnly regular files are listed, sorted by path; symbolic links are neither listed nor followed. In a pattern `*` and `?` stand for characters of one name, " +
			"`[a-z]` for one of a set, `{pdf,md}` for one of several texts, and `**` as a whole name for any number of folders. " +
			"A name that starts with a dot matches only where the pattern has the dot too. More matches than `max_entries` are an error: nothing is left out silently.",
		Params: []nodes.Param{
			pathParam("the folder"),
			{Name: "pattern", Type: nodes.String, Default: "**/*", Interpolate: true, NonEmpty: true, Help: "which files, relative to the folder, with / between names"},
			{Name: "max_entries", Type: nodes.Integer, Default: 10000, Range: nodes.Between(1, 1000000), Unit: "files", Help: "fail when more files match"},
			outputKey("files"),
		},
		Outputs: []nodes.OutputSpec{
			{Type: nodes.Array, Help: "`{path, name, bytes}` of each file: the folder joined with the relative path, the last element of it, and the size"},
		},
		Examples: []nodes.Example{{
			Title:   "All Markdown and text files below a folder",
			Lua:     `nodes.list_files{ path = ".", pattern = "**/*.{md,txt}", output_key = "documents" }`,
			Context: `{}`,
		}},
	}}
}

func runListFiles(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	pat, err := parsePattern(call.String("pattern"))
	if err != nil {
		return nil, call.Errorf("pattern", "%w", err)
	}
	p, err := find(call, "path", true, false)
	if err != nil {
		return nil, err
	}
	defer p.close()
	info, err := p.root.Stat(p.name)
	if err == nil && !info.IsDir() {
		err = errors.New("is a file, want a folder; give the file's name as the pattern")
	}
	if err != nil {
		return nil, call.Errorf("path", "%w", plain(err, p.full))
	}
	dir, err := p.root.OpenRoot(p.name)
	if err != nil {
		return nil, call.Errorf("path", "%w", plain(err, p.full))
	}
	defer func() { _ = dir.Close() }()
	found, err := walk(ctx, dir.FS(), pat, call.Int("max_entries"))
	if err != nil {
		return nil, call.Errorf("path", "%w", within(err, p.full))
	}
	folder := filepath.ToSlash(call.String("path"))
	list := make([]any, len(found))
	for i, f := range found {
		list[i] = map[string]any{"path": path.Join(folder, f.path), "name": path.Base(f.path), "bytes": f.bytes}
	}
	return nodes.Output{"": list}, nil
}

// within names the folder in front of an error from somewhere below it.
func within(err error, full string) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%q: %w", filepath.Join(full, filepath.FromSlash(at.Path)), at.Err)
	}
	return err
}

type entry struct {
	path  string
	bytes int64
}

// walk collects the regular files below the root of fsys that match, sorted by
// path. Folders that cannot hold a match are not read.
func walk(ctx context.Context, fsys fs.FS, pat *pattern, most int) ([]entry, error) {
	var found []entry
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case name == ".":
			return nil
		case d.IsDir() && !pat.below(name):
			return fs.SkipDir
		case !d.Type().IsRegular() || !pat.match(name):
			return nil
		case len(found) == most:
			return fmt.Errorf("more than %d files match; raise max_entries or narrow the pattern", most)
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed since the folder was read
		}
		if err != nil {
			return err
		}
		found = append(found, entry{name, info.Size()})
		return nil
	})
	slices.SortFunc(found, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return found, err
}
