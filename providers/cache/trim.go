package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// abandoned is the age at which a file that was never finished is removed.
	abandoned = time.Hour
	// A folder with more than manyFiles is cut by a spareFraction more than it
	// must be, so that not every job has to measure it again.
	manyFiles     = 1024
	spareFraction = 16
)

// file is an entry as the folder shows it.
type file struct {
	path string
	size int64
	used time.Time
}

// Trim removes the entries that were not used for the longest time until the
// rest has at most limit bytes. It measures the folder only when this Dir has
// written to it, and then only when what was written since the last measuring
// may matter; another process may add to the folder at the same time.
func (d *Dir) Trim(limit int64, now time.Time) error {
	written, measured := d.written.Load(), d.measured.Load()
	if written == 0 {
		return nil
	}
	if measured >= 0 && measured+written <= limit && written <= limit/spareFraction {
		return nil
	}
	d.written.Add(-written)
	files, total, err := d.measure(now)
	if err != nil {
		d.written.Add(written)
		return reason(err)
	}
	if total > limit {
		goal := limit
		if len(files) > manyFiles {
			goal -= limit / spareFraction
		}
		total, err = removeOldest(files, total, goal)
	}
	d.measured.Store(total)
	return reason(err)
}

// measure lists the entries with their sizes, and removes what writers left
// unfinished.
func (d *Dir) measure(now time.Time) (files []file, total int64, err error) {
	err = filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed or renamed by another process
		}
		if err != nil {
			return err
		}
		switch {
		case strings.HasSuffix(path, d.form.suffix):
			files = append(files, file{path, info.Size(), info.ModTime()})
			total += info.Size()
		case strings.HasPrefix(e.Name(), aside) && now.Sub(info.ModTime()) > abandoned:
			_ = os.Remove(path)
		}
		return nil
	})
	return files, total, err
}

// removeOldest removes files, the least recently used first, until the rest
// has at most goal bytes. It returns the size of the rest.
func removeOldest(files []file, total, goal int64) (int64, error) {
	slices.SortFunc(files, func(a, b file) int {
		if c := a.used.Compare(b.used); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	for _, f := range files {
		if total <= goal {
			return total, nil
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return total, err
		}
		total -= f.size
	}
	return total, nil
}
