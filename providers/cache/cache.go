// Package cache keeps what providers answered in a folder, so that nothing is
// asked for twice: vectors of texts, and answers of models.
//
// Each entry is a file of its own, named after a hash of all that it depends
// on. Files appear whole (they are written aside and renamed) and carry a
// checksum: a torn, damaged or foreign file is as good as none and is replaced
// by the next [Dir.Put]. Nothing is locked: two processes may use one folder,
// and at worst both ask for the same thing.
//
// Files have the mode 0600, folders 0700. The time of modification of a file
// is the time of its last use, from which [Dir.Trim] knows what to remove.
package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

const (
	// magicSize is the length of the text with which a file begins.
	magicSize = 8
	// aside is how files are named while they are written.
	aside = ".new-"

	fileMode   = 0o600
	folderMode = 0o700
)

// Kind is what a folder holds. Each kind lies in a folder of its own below the
// one that the user names, which may hold other things.
type Kind int

const (
	// Vectors are texts turned into numbers; see [EncodeVector].
	Vectors Kind = iota
	// Answers are what models said.
	Answers
)

// form is how the files of a kind are named and begin.
type form struct{ folder, suffix, magic string }

func (k Kind) form() form {
	if k == Answers {
		return form{"answers-1", ".ans", "IFLANS01"}
	}
	return form{"vectors-1", ".vec", "IFLVEC01"}
}

// Key names an entry.
type Key [sha256.Size]byte

// NewKey hashes parts. Different lists of parts have different keys: each part
// is hashed with its length.
func NewKey(parts ...string) Key { return Key{}.With(parts...) }

// With is the key for parts in the space that k names.
func (k Key) With(parts ...string) Key {
	h := sha256.New()
	h.Write(k[:])
	for _, p := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return Key(h.Sum(nil))
}

// Dir is a folder of entries of one kind. It is safe for concurrent use.
type Dir struct {
	root string
	form form
	// written counts the bytes written since the size was last measured,
	// measured is what it was then, or -1.
	written, measured atomic.Int64
}

// Open makes the folder for a kind if it does not exist. The path should be
// absolute.
func Open(path string, kind Kind) (*Dir, error) {
	form := kind.form()
	d := &Dir{root: filepath.Join(path, form.folder), form: form}
	d.measured.Store(-1)
	if err := os.MkdirAll(d.root, folderMode); err != nil {
		return nil, reason(err)
	}
	return d, nil
}

// reason drops the path of a file inside the folder, which means nothing to
// the user.
func reason(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}

// path is shard and name of the file of a key.
func (d *Dir) path(k Key) (shard, name string) {
	hexed := hex.EncodeToString(k[:])
	shard = filepath.Join(d.root, hexed[:2])
	return shard, filepath.Join(shard, hexed[2:]+d.form.suffix)
}

// Get returns the content of a key and notes that it was used at now. ok is
// false when there is none that can be trusted.
func (d *Dir) Get(k Key, now time.Time) (content []byte, ok bool) {
	_, name := d.path(k)
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	content, ok = open(d.form.magic, k, file)
	if ok {
		// Another process may have removed it meanwhile; the content is good.
		_ = os.Chtimes(name, time.Time{}, now)
	}
	return content, ok
}

// Put keeps content, used at now. When it fails, nothing is left behind.
func (d *Dir) Put(k Key, content []byte, now time.Time) error {
	shard, name := d.path(k)
	file := seal(d.form.magic, k, content)
	f, err := d.create(shard)
	if err != nil {
		return reason(err)
	}
	_, err = f.Write(file)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chtimes(f.Name(), time.Time{}, now)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return reason(err)
	}
	d.written.Add(int64(len(file)))
	return nil
}

// create opens a new file in a shard, which it makes when it is missing. The
// file has the mode 0600.
func (d *Dir) create(shard string) (*os.File, error) {
	f, err := os.CreateTemp(shard, aside+"*")
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := os.MkdirAll(shard, folderMode); err != nil {
		return nil, err
	}
	return os.CreateTemp(shard, aside+"*")
}
