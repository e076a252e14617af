package stand

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// OllamaVersions are the oldest and the newest version that the Go module proxy
// serves in a form that can be built.
func OllamaVersions() []string { return []string{"0.6.5", "0.17.4"} }

// ollamaBinary builds a version of Ollama once. It takes half an hour and needs
// a C++ compiler.
func ollamaBinary(t testing.TB, version string) string {
	t.Helper()
	Need(t, "g++", "apt-get install g++")
	dir := once(t, filepath.Join(Cache(t), "ollama-"+version), func(fresh string) {
		if version == "0.6.5" {
			run(t, "Ollama "+version, fresh, []string{"GOBIN=" + fresh}, "go", "install", "-p", "1", "github.com/ollama/ollama@v"+version)
			return
		}
		buildOllama(t, version, fresh)
	})
	return filepath.Join(dir, "ollama")
}

// buildOllama builds a version whose module lacks the folders named vendor,
// which module archives leave out. The same files are in the source package of
// llama-cpp-python on PyPI.
func buildOllama(t testing.TB, version, fresh string) {
	t.Helper()
	const (
		headers    = "llama-cpp-python==0.3.36"
		headersSum = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
	)
	work := t.TempDir()
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/ollama/ollama@v"+version)
	cmd.Dir = work
	out, err := cmd.Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil {
		t.Fatalf("Ollama %s cannot be had from the Go proxy: %v", version, err)
	}
	run(t, "Ollama "+version, work, nil, "cp", "-r", module.Dir, "src")
	run(t, "Ollama "+version, work, nil, "chmod", "-R", "u+w", "src")
	run(t, "the headers for Ollama "+version, work, nil, Python(t), "-m", "pip", "download", "-q", "--disable-pip-version-check",
		"--no-deps", "--no-binary", ":all:", "--dest", "sdist", headers)
	archives, _ := filepath.Glob(filepath.Join(work, "sdist", "*.tar.gz"))
	if len(archives) != 1 || sum(t, archives[0]) != headersSum {
		t.Fatalf("the source package %s is not the one that is known", headers)
	}
	to := filepath.Join(work, "src", "llama", "llama.cpp", "vendor")
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, "the headers for Ollama "+version, work, nil, "tar", "xzf", archives[0], "-C", to, "--strip-components=4", "--wildcards",
		"*/vendor/llama.cpp/vendor/nlohmann/*", "*/vendor/llama.cpp/vendor/stb/*", "*/vendor/llama.cpp/vendor/miniaudio/*")
	run(t, "Ollama "+version, filepath.Join(work, "src"), []string{"CGO_CFLAGS=-O2", "CGO_CXXFLAGS=-O2"},
		"go", "build", "-p", "1", "-o", filepath.Join(fresh, "ollama"), ".")
}

// Ollama starts a version of Ollama with the models "minilm" and "smol", one
// thread each, and returns its address.
func Ollama(t testing.TB, version string) (*Server, string) {
	t.Helper()
	program := ollamaBinary(t, version)
	home := t.TempDir()
	at := FreePort(t)
	env := []string{
		"HOME=" + home, fmt.Sprintf("OLLAMA_HOST=127.0.0.1:%d", at), "OLLAMA_MODELS=" + filepath.Join(home, "models"),
		"OLLAMA_NUM_PARALLEL=1", "OLLAMA_KEEP_ALIVE=30m",
	}
	s := Start(t, "Ollama "+version, home, env, program, "serve")
	base := fmt.Sprintf("http://127.0.0.1:%d", at)
	s.Ready(t, base+"/api/version", time.Minute)
	chat, _ := ChatModel(t)
	for name, file := range map[string]string{"minilm": MiniLM(t), "smol": chat} {
		modelfile := filepath.Join(home, name)
		if err := os.WriteFile(modelfile, []byte("FROM "+file+"\nPARAMETER num_thread 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, "the model "+name+" in Ollama "+version, home, env, program, "create", name, "-f", modelfile)
	}
	return s, base
}

// KillChildren ends, as a crash would, the processes that the server started
// whose command line holds the text. It returns how many there were.
func (s *Server) KillChildren(text string) int {
	return killGroup(s.cmd.Process.Pid, text)
}
