package local

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

func testEncoder(t testing.TB) *encoder {
	t.Helper()
	table, err := newTable(weights)
	if err != nil {
		t.Fatal(err)
	}
	return &encoder{table: table}
}

// expected is testdata/local-model.json, which came with the weights.
type expected struct {
	Bytes, Dim, Rows int
	SHA256           string `json:"sha256"`
	FunctionWords    int    `json:"function_words"`
	TestVectors      []struct {
		Text   string
		First  []float64 `json:"static_first_8"`
		Static string    `json:"static_sha256_f32le"`
		Middle []float64 `json:"hybrid_256_to_263"`
		Hybrid string    `json:"hybrid_sha256_f32le"`
	} `json:"test_vectors"`
}

func readExpected(t *testing.T) expected {
	t.Helper()
	content, err := os.ReadFile("testdata/local-model.json")
	if err != nil {
		t.Fatal(err)
	}
	var e expected
	if err := json.Unmarshal(content, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWeights(t *testing.T) {
	want := readExpected(t)
	sum := sha256.Sum256([]byte(weights))
	if got := hex.EncodeToString(sum[:]); got != want.SHA256 || got != weightsSum {
		t.Errorf("sha256 is %s, the description says %s, the code %s", got, want.SHA256, weightsSum)
	}
	if len(weights) != want.Bytes || !strings.HasPrefix(weights, magic) {
		t.Errorf("%d bytes that begin with %q, want %d and %q", len(weights), weights[:8], want.Bytes, magic)
	}
	var head [6]int
	for i := range head {
		head[i] = int(binary.LittleEndian.Uint32([]byte(weights[len(magic)+4*i:])))
	}
	if head[0] != want.Dim || head[1] != want.Rows || head[3] != want.FunctionWords || head[5] != 0 {
		t.Errorf("header %v, want %+v", head, want)
	}
	table := testEncoder(t).table
	if len(table.rows) != want.Rows*want.Dim || len(table.mul) != 2*want.Rows || len(table.idf) != want.Rows {
		t.Errorf("%d, %d and %d bytes of rows, multipliers and rarity", len(table.rows), len(table.mul), len(table.idf))
	}
}

// TestVectors compares every bit with what another program computed.
func TestVectors(t *testing.T) {
	e := testEncoder(t)
	vectors := readExpected(t).TestVectors
	if len(vectors) != 5 {
		t.Fatalf("%d test vectors, want 5", len(vectors))
	}
	for _, want := range vectors {
		static, hybrid := make([]float64, StaticDimensions), make([]float64, HybridDimensions)
		e.read(want.Text)
		e.writeStatic(static)
		e.writeHybrid(hybrid)
		for i, x := range want.First {
			if math.Abs(static[i]-x) > 1e-6 {
				t.Errorf("%q: number %d is %v, want %v", want.Text, i, static[i], x)
			}
		}
		for i, x := range want.Middle {
			if math.Abs(hybrid[dim+i]-x) > 1e-6 {
				t.Errorf("%q: number %d is %v, want %v", want.Text, dim+i, hybrid[dim+i], x)
			}
		}
		if got := sumFloat32(static); got != want.Static {
			t.Errorf("%q: static has sha256 %s, want %s", want.Text, got, want.Static)
		}
		if got := sumFloat32(hybrid); got != want.Hybrid {
			t.Errorf("%q: hybrid has sha256 %s, want %s", want.Text, got, want.Hybrid)
		}
	}
}

// sumFloat32 is the SHA-256 of a vector as float32, little endian.
func sumFloat32(vector []float64) string {
	var b []byte
	for _, x := range vector {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// TestDamagedWeights checks that sizes which do not fit are found, wherever
// the file ends and whatever its header says.
func TestDamagedWeights(t *testing.T) {
	for _, size := range []int{0, 7, headerSize - 1, headerSize, headerSize + 100, len(weights) / 2, len(weights) - 1} {
		if _, err := newTable(weights[:size]); err == nil {
			t.Errorf("%d bytes of the weights are taken for all of them", size)
		}
	}
	if _, err := newTable(weights + "x"); err == nil {
		t.Error("a byte too many is not noticed")
	}
	for field := range 5 {
		for _, value := range []uint32{0, 1, 255, 1 << 20, math.MaxUint32} {
			b := []byte(weights)
			binary.LittleEndian.PutUint32(b[len(magic)+4*field:], value)
			if _, err := newTable(string(b)); err == nil {
				t.Errorf("field %d of the header may be %d", field, value)
			}
		}
	}
}
