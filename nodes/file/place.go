package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes"
)

// place is a directory that has been opened and a name inside it: every access
// to a file goes through it.
type place struct {
	root *os.Root
	name string // relative to root
	full string // absolute, for error texts
}

func (p *place) close() { _ = p.root.Close() }

// roots are the directories that a path with placeholders may point into.
func roots(env *nodes.Env) []string {
	var out []string
	for _, dir := range append([]string{env.Files.WorkDir, env.FlowDir}, env.Files.Allow...) {
		if dir == "" {
			continue
		}
		if target, err := filepath.EvalSymlinks(dir); err == nil && !slices.Contains(out, target) {
			out = append(out, target)
		}
	}
	return out
}

// absolute takes a path relative to the working directory.
func absolute(env *nodes.Env, path string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", errors.New("contains a NUL character")
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if env.Files.WorkDir == "" {
		return filepath.Abs(path)
	}
	return filepath.Join(env.Files.WorkDir, path), nil
}

// find opens the directory through which the file of a path parameter is
// reached. With follow, a symbolic link at the end of the path is resolved as
// well. With create, missing parents of the file are made.
func find(call *nodes.Call, param string, follow, create bool) (*place, error) {
	path := call.String(param)
	if path == "" {
		return nil, call.Errorf(param, "is empty")
	}
	full, err := absolute(call.Env(), path)
	if err != nil {
		return nil, call.Errorf(param, "%w", err)
	}
	var p *place
	if call.Templated(param) {
		p, err = confined(call.Env(), full, follow, create)
	} else {
		p, err = direct(full, follow, create)
	}
	if err != nil {
		return nil, call.Errorf(param, "%w", plain(err, full))
	}
	return p, nil
}

// direct reaches a path that the flow's author wrote in full.
func direct(full string, follow, create bool) (*place, error) {
	target, err := resolve(full, follow)
	if err != nil {
		return nil, err
	}
	dir, name := filepath.Split(target)
	if create {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if name == "" { // the root of the file system
		name = "."
	}
	return &place{root: root, name: name, full: target}, nil
}

// confined reaches a path that context data helped to make.
func confined(env *nodes.Env, full string, follow, create bool) (*place, error) {
	target, err := resolve(full, follow)
	if err != nil {
		return nil, err
	}
	allowed := roots(env)
	for _, dir := range allowed {
		rel, err := filepath.Rel(dir, target)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		p := &place{root: root, name: rel, full: target}
		if parent := filepath.Dir(rel); create && parent != "." {
			if err := root.MkdirAll(parent, 0o777); err != nil {
				p.close()
				return nil, err
			}
		}
		return p, nil
	}
	return nil, fmt.Errorf("%q is outside the directories that a path with placeholders may point into (%s); allow another one with --allow-path DIR, or write the path in full",
		full, nodes.QuoteList(allowed, "and"))
}

// resolve follows the symbolic links of a path as far as it exists; the last
// element is followed only if wanted.
func resolve(full string, follow bool) (string, error) {
	dir, rest := full, ""
	if !follow {
		dir, rest = filepath.Dir(full), filepath.Base(full)
	}
	for {
		target, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(target, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if _, err := os.Lstat(dir); err == nil {
			return "", fmt.Errorf("%q is a symbolic link that leads nowhere", dir)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", err
		}
		dir, rest = parent, filepath.Join(filepath.Base(dir), rest)
	}
}

// plain turns an error of package os into one that shows the path once, whole.
func plain(err error, full string) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	if strings.Contains(err.Error(), strconv.Quote(full)) {
		return err
	}
	return fmt.Errorf("%q: %w", full, err)
}

// kindOf names what is not a regular file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}
