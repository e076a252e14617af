package file

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// newFileMode is what the process asks for when it makes a file; its umask
// takes bits away.
const newFileMode = 0o666

// target looks at what is there already: nothing (nil) or a regular file.
func (p *place) target() (fs.FileInfo, error) {
	info, err := p.root.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("is %s, and only a regular file is replaced or added to", kindOf(info.Mode()))
	}
	return info, nil
}

// replace writes a temporary file beside the target and renames it. Whatever
// goes wrong before the rename, the target is as it was and the temporary file
// is gone.
func (p *place) replace(ctx context.Context, write writer) (n int64, err error) {
	old, err := p.target()
	if err != nil {
		return 0, err
	}
	name := filepath.Join(filepath.Dir(p.name), ".ironflow-"+rand.Text()+".tmp")
	f, err := p.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = p.root.Remove(name)
		}
	}()
	if n, err = emit(ctx, f, write); err != nil {
		return 0, err
	}
	mode, err := p.mode(old, name)
	if err != nil {
		return 0, err
	}
	if err = f.Chmod(mode); err != nil {
		return 0, err
	}
	if err = cmp.Or(f.Sync(), f.Close()); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return n, p.root.Rename(name, p.name)
}

// mode is that of the file that is replaced, or the one that a new file gets
// here. The umask can be read on its own only by changing it for the whole
// process, so an empty file is made to see.
func (p *place) mode(old fs.FileInfo, name string) (fs.FileMode, error) {
	if old != nil {
		return old.Mode().Perm(), nil
	}
	probe := name + ".mode"
	f, err := p.root.OpenFile(probe, os.O_WRONLY|os.O_CREATE|os.O_EXCL, newFileMode)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	err = cmp.Or(err, f.Close(), p.root.Remove(probe))
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// add writes to the end of the file with a single write.
func (p *place) add(ctx context.Context, write writer) (int64, error) {
	var content bytes.Buffer
	if _, err := emit(ctx, &content, write); err != nil {
		return 0, err
	}
	if _, err := p.target(); err != nil {
		return 0, err
	}
	f, err := p.root.OpenFile(p.name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|nonBlocking, newFileMode)
	if err != nil {
		return 0, err
	}
	// What was opened must still be the regular file that is there, and not what
	// a link put in its place leads to.
	opened, err := f.Stat()
	if err == nil {
		var there fs.FileInfo
		if there, err = p.target(); err == nil && (there == nil || !os.SameFile(opened, there)) {
			err = errors.New("was replaced while it was being opened")
		}
	}
	n := 0
	if err == nil {
		n, err = f.Write(content.Bytes())
	}
	return int64(n), cmp.Or(err, f.Close())
}
