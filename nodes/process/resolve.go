package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
)

// Resolve returns the absolute path of a program as a flow or a grant names it:
// an absolute path as it is, one with a separator relative to dir (the directory
// of the flow), a bare name in the directories of path (the PATH variable),
// of which relative ones do not count. The error says where it looked.
func Resolve(program, dir, path string) (string, error) {
	switch {
	case strings.TrimSpace(program) == "":
		return "", errors.New("the program is empty")
	case strings.ContainsRune(program, 0):
		return "", errors.New("the program contains a NUL character")
	case filepath.IsAbs(program):
		return runnable(filepath.Clean(program))
	case strings.ContainsRune(program, '/') || strings.ContainsRune(program, filepath.Separator):
		abs, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(program)))
		if err != nil {
			return "", err
		}
		return runnable(abs)
	}
	for _, d := range filepath.SplitList(path) {
		if !filepath.IsAbs(d) {
			continue
		}
		if found, err := runnable(filepath.Join(d, program)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("program %q is in no directory of PATH; write ./%s for a program beside the flow file", program, program)
}

// runnable checks that the file is there and may be started.
func runnable(path string) (string, error) {
	candidates := []string{path}
	if runtime.GOOS == "windows" && filepath.Ext(path) == "" {
		candidates = []string{path + ".exe", path + ".com"}
	}
	for _, c := range candidates {
		info, err := os.Stat(c)
		switch {
		case err != nil:
			continue
		case info.IsDir():
			return "", fmt.Errorf("%q is a directory, want a program", c)
		case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
			return "", fmt.Errorf("%q may not be executed; make it executable (chmod +x)", c)
		}
		return c, nil
	}
	return "", fmt.Errorf("program %q does not exist", path)
}

// inherited are the variables that a program gets without being asked for.
func inherited() []string {
	if runtime.GOOS == "windows" {
		return []string{"PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "USERPROFILE", "TEMP", "TMP"}
	}
	return []string{"PATH", "HOME", "LANG", "TMPDIR"}
}

// variable reads one of them from the process environment. A dotenv file does
// not count: one that came with a cloned folder could redirect bare names.
func variable(env *nodes.Env, name string) (string, bool) {
	if env.Lookup == nil {
		return "", false
	}
	v, from, ok := env.Lookup(name)
	if !ok || from != providers.FromEnvironment {
		return "", false
	}
	return v, true
}

// environment is the whole environment of a program.
func environment(env *nodes.Env, extra map[string]string) []string {
	out := []string{}
	for _, name := range inherited() {
		if _, replaced := extra[name]; replaced {
			continue
		}
		if v, ok := variable(env, name); ok {
			out = append(out, name+"="+v)
		}
	}
	for _, name := range sortedKeys(extra) {
		out = append(out, name+"="+extra[name])
	}
	return out
}

func checkVariable(name, v string) error {
	switch {
	case name == "" || strings.ContainsAny(name, "=\x00"):
		return fmt.Errorf("%q is no name of a variable", name)
	case strings.ContainsRune(v, 0):
		return fmt.Errorf("the value of %q contains a NUL character", name)
	}
	return nil
}
