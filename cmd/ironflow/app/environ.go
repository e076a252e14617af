package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/joho/godotenv"

	"github.com/ironflow/ironflow/providers"
)

// environ is the merged environment: the process environment, and behind it a
// dotenv file, which never overwrites a variable that is set.
type environ struct {
	process map[string]string
	dotenv  map[string]string
	// dotenvName is the file as messages name it; dotenvFrom tells a file that
	// the operator named from one that was found.
	dotenvName string
	dotenvFrom providers.Source
	// warnings are things of the dotenv file that were ignored.
	warnings []string
}

// newEnviron merges the process environment with the dotenv file: the named
// one, which must exist, or ./.env in dir when it is there.
func newEnviron(process []string, dir, named string) (*environ, error) {
	e := &environ{process: map[string]string{}, dotenv: map[string]string{}}
	for _, kv := range process {
		if k, v, ok := strings.Cut(kv, "="); ok && k != "" {
			e.process[k] = v
		}
	}
	path := filepath.Join(dir, ".env")
	e.dotenvName, e.dotenvFrom = "./.env", providers.FromFoundDotenv
	if named != "" {
		path = named
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		e.dotenvName, e.dotenvFrom = named, providers.FromDotenv
	}
	// The file is read whole before any of it applies, so a broken file sets
	// nothing.
	text, err := readRegular(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) && named == "" {
		return e, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the dotenv file %s: %w", e.dotenvName, err)
	}
	vars, err := godotenv.UnmarshalBytes(text)
	if err != nil {
		// The parser's own words quote the file, which may hold secrets.
		return nil, fmt.Errorf("the dotenv file %s cannot be parsed: want lines of the form NAME=value", e.dotenvName)
	}
	e.take(vars)
	return e, nil
}

// take keeps what a dotenv file may set.
func (e *environ) take(vars map[string]string) {
	for _, s := range settingsTable() {
		v, ok := vars[s.Name]
		lower := strings.ToLower(s.Name)
		if s.Kind == proxy {
			if _, has := vars[lower]; has {
				ok = true
			}
		}
		if !ok {
			continue
		}
		if why := s.dotenvRefusal(v); why != "" {
			e.warnings = append(e.warnings, fmt.Sprintf("%s in %s is ignored: %s", s.Name, e.dotenvName, why))
			delete(vars, s.Name)
			if s.Kind == proxy {
				delete(vars, lower)
			}
		}
	}
	e.dotenv = vars
}

// dotenvRefusal says why a dotenv file may not set a setting to v; "" = it may.
func (s setting) dotenvRefusal(v string) string {
	const elsewhere = "; set it in the environment"
	switch s.Kind {
	case grant:
		return "grants are read from flags and the process environment only" + elsewhere
	case proxy:
		return "proxies are read from the process environment only" + elsewhere
	case loosen:
		return "what weakens the policy is read from the process environment only" + elsewhere
	case tighten:
		if on, err := s.parseBool(v); err == nil && !on {
			return "a dotenv file can only switch it on" + elsewhere
		}
	case limit:
		if n, err := s.parseNumber(v); err == nil && s.looser(n) {
			return "a dotenv file can only lower a limit" + elsewhere
		}
	}
	return ""
}

// Lookup finds a variable and says where it comes from.
func (e *environ) Lookup(name string) (string, providers.Source, bool) {
	if v, ok := e.process[name]; ok {
		return v, providers.FromEnvironment, true
	}
	if v, ok := e.dotenv[name]; ok {
		return v, e.dotenvFrom, true
	}
	return "", 0, false
}

// number returns a numeric setting, or its default.
func (e *environ) number(name string) (int64, error) {
	s := findSetting(name)
	v, _, ok := e.Lookup(name)
	if !ok {
		return s.Default, nil
	}
	return s.parseNumber(v)
}

func (e *environ) boolean(name string) (bool, error) {
	v, _, ok := e.Lookup(name)
	if !ok {
		return false, nil
	}
	return findSetting(name).parseBool(v)
}

// proxyVar reads a proxy variable in either case.
func (e *environ) proxyVar(name string) string {
	if v := e.process[name]; v != "" {
		return v
	}
	return e.process[strings.ToLower(name)]
}

// readRegular reads a regular file of at most limit bytes. It is opened
// without blocking, so that a named pipe cannot hang the command.
func readRegular(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("it has %d bytes, allowed are %d", info.Size(), limit)
	}
	return readAtMost(f, limit)
}

// readAtMost reads to the end, and fails when there is more than limit: a file
// may grow while it is read.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return data, nil
}
