package stand

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// ConvertBERT writes the weights of a BERT encoder with mean pooling, as
// Hugging Face stores them (safetensors and vocab.txt), as one GGUF file, the
// format of llama.cpp and Ollama (version 3). The numbers stay what they are.
// The layout of the file follows the GGUF specification (ggml/docs/gguf.md).
func ConvertBERT(weights, vocab, to string) error {
	in, err := openSafetensors(weights)
	if err != nil {
		return err
	}
	defer func() { _ = in.file.Close() }()
	words, err := os.ReadFile(vocab)
	if err != nil {
		return err
	}
	meta, err := bertMeta(in, strings.Split(strings.TrimSuffix(string(words), "\n"), "\n"))
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	w := &ggufWriter{w: bufio.NewWriterSize(out, 1<<20)}
	w.write(meta, in)
	if w.err == nil {
		w.err = w.w.Flush()
	}
	if err := out.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}

// safetensors is an open file of tensors.
type safetensors struct {
	file  *os.File
	start int64
	// byName are the float32 tensors by the name that GGUF has for them.
	byName map[string]tensor
}

type tensor struct {
	Dtype   string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

func openSafetensors(name string) (*safetensors, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := &safetensors{file: f, byName: map[string]tensor{}}
	var size uint64
	if err := binary.Read(f, binary.LittleEndian, &size); err != nil {
		return nil, err
	}
	if size > 1<<24 {
		return nil, fmt.Errorf("the header claims %d bytes", size)
	}
	head := make([]byte, size)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, err
	}
	s.start = 8 + int64(size)
	var all map[string]json.RawMessage
	if err := json.Unmarshal(head, &all); err != nil {
		return nil, err
	}
	for key, raw := range all {
		name, ok := ggufName(key)
		if !ok {
			continue
		}
		var t tensor
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, err
		}
		if t.Dtype != "F32" {
			return nil, fmt.Errorf("the tensor %s is %s, want F32", key, t.Dtype)
		}
		s.byName[name] = t
	}
	return s, nil
}

// ggufName is the name of a tensor in GGUF; false for those that the encoder
// has no use for.
func ggufName(key string) (string, bool) {
	kind := key[strings.LastIndexByte(key, '.')+1:]
	switch strings.TrimSuffix(key, "."+kind) {
	case "embeddings.word_embeddings":
		return "token_embd." + kind, true
	case "embeddings.position_embeddings":
		return "position_embd." + kind, true
	case "embeddings.token_type_embeddings":
		return "token_types." + kind, true
	case "embeddings.LayerNorm":
		return "token_embd_norm." + kind, true
	}
	rest, ok := strings.CutPrefix(key, "encoder.layer.")
	if !ok {
		return "", false
	}
	layer, part, _ := strings.Cut(rest, ".")
	name, ok := map[string]string{
		"attention.self.query":       "attn_q",
		"attention.self.key":         "attn_k",
		"attention.self.value":       "attn_v",
		"attention.output.dense":     "attn_output",
		"attention.output.LayerNorm": "attn_output_norm",
		"intermediate.dense":         "ffn_up",
		"output.dense":               "ffn_down",
		"output.LayerNorm":           "layer_output_norm",
	}[strings.TrimSuffix(part, "."+kind)]
	return "blk." + layer + "." + name + "." + kind, ok
}

// pair is one entry of the metadata; the type of the value is that of GGUF.
type pair struct {
	key   string
	value any
}

func bertMeta(s *safetensors, words []string) ([]pair, error) {
	embd, ok := s.byName["token_embd.weight"]
	if !ok || len(embd.Shape) != 2 || embd.Shape[0] != uint64(len(words)) {
		return nil, fmt.Errorf("%d words do not fit the embeddings %v", len(words), embd.Shape)
	}
	layers := uint32(0)
	for s.byName[fmt.Sprintf("blk.%d.ffn_up.weight", layers)].Dtype != "" {
		layers++
	}
	ids := map[string]uint32{}
	kinds := make([]int32, len(words))
	for i, word := range words {
		kinds[i] = 1 // normal
		switch {
		case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]") && len(word) > 2:
			ids[word] = uint32(i)
			kinds[i] = 3 // control
		case strings.HasPrefix(word, "##"):
			words[i] = word[2:]
		default:
			// llama.cpp looks for the start of a word, not for its continuation.
			words[i] = "\u2581" + word
		}
	}
	return []pair{
		{"general.architecture", "bert"},
		{"general.name", "all-MiniLM-L6-v2"},
		{"general.file_type", uint32(0)}, // all F32
		{"bert.block_count", layers},
		{"bert.context_length", uint32(s.byName["position_embd.weight"].Shape[0])},
		{"bert.embedding_length", uint32(embd.Shape[1])},
		{"bert.feed_forward_length", uint32(s.byName["blk.0.ffn_up.weight"].Shape[0])},
		{"bert.attention.head_count", uint32(12)},
		{"bert.attention.layer_norm_epsilon", float32(1e-12)},
		{"bert.attention.causal", false},
		{"bert.pooling_type", uint32(1)}, // mean
		{"tokenizer.ggml.model", "bert"},
		{"tokenizer.ggml.token_type_count", uint32(2)},
		{"tokenizer.ggml.tokens", words},
		{"tokenizer.ggml.token_type", kinds},
		{"tokenizer.ggml.bos_token_id", ids["[CLS]"]},
		{"tokenizer.ggml.eos_token_id", ids["[SEP]"]},
		{"tokenizer.ggml.unknown_token_id", ids["[UNK]"]},
		{"tokenizer.ggml.seperator_token_id", ids["[SEP]"]}, // spelt like this
		{"tokenizer.ggml.padding_token_id", ids["[PAD]"]},
		{"tokenizer.ggml.cls_token_id", ids["[CLS]"]},
		{"tokenizer.ggml.mask_token_id", ids["[MASK]"]},
	}, nil
}

// ggufWriter writes until the first error.
type ggufWriter struct {
	w   *bufio.Writer
	n   int64
	err error
}

const ggufAlign = 32

func (g *ggufWriter) write(meta []pair, s *safetensors) {
	names := make([]string, 0, len(s.byName))
	for name := range s.byName {
		names = append(names, name)
	}
	sort.Strings(names)
	g.raw([]byte("GGUF"))
	g.num(uint32(3))
	g.num(uint64(len(names)))
	g.num(uint64(len(meta)))
	for _, p := range meta {
		g.text(p.key)
		g.typed(p.value)
	}
	offset := int64(0)
	for _, name := range names {
		t := s.byName[name]
		g.text(name)
		g.num(uint32(len(t.Shape)))
		for i := len(t.Shape) - 1; i >= 0; i-- { // the fastest index comes first
			g.num(t.Shape[i])
		}
		g.num(uint32(0)) // F32
		g.num(uint64(offset))
		offset = aligned(offset + t.Offsets[1] - t.Offsets[0])
	}
	g.pad()
	for _, name := range names {
		t := s.byName[name]
		g.copy(io.NewSectionReader(s.file, s.start+t.Offsets[0], t.Offsets[1]-t.Offsets[0]))
		g.pad()
	}
}

func aligned(n int64) int64 { return (n + ggufAlign - 1) / ggufAlign * ggufAlign }

func (g *ggufWriter) pad() { g.raw(make([]byte, aligned(g.n)-g.n)) }

// typed writes a value behind the number of its type.
func (g *ggufWriter) typed(v any) {
	switch x := v.(type) {
	case uint32:
		g.num(uint32(4))
		g.num(x)
	case float32:
		g.num(uint32(6))
		g.num(x)
	case bool:
		g.num(uint32(7))
		g.num(x)
	case string:
		g.num(uint32(8))
		g.text(x)
	case []string:
		g.num(uint32(9))
		g.num(uint32(8))
		g.num(uint64(len(x)))
		for _, s := range x {
			g.text(s)
		}
	case []int32:
		g.num(uint32(9))
		g.num(uint32(5))
		g.num(uint64(len(x)))
		g.num(x)
	default:
		g.err = fmt.Errorf("no GGUF type for %T", v)
	}
}

func (g *ggufWriter) text(s string) {
	g.num(uint64(len(s)))
	g.raw([]byte(s))
}

func (g *ggufWriter) num(v any) {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil && g.err == nil {
		g.err = err
	}
	g.raw(b)
}

func (g *ggufWriter) raw(b []byte) { g.copy(strings.NewReader(string(b))) }

func (g *ggufWriter) copy(r io.Reader) {
	if g.err != nil {
		return
	}
	n, err := io.Copy(g.w, r)
	g.n += n
	g.err = err
}
