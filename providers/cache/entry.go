package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// A file holds, little endian: magic, key, u32 count of numbers, u32 bytes for
// each (4 or 8), the numbers as IEEE 754, and SHA-256 of all that. Numbers take
// 4 bytes when that loses nothing.
const (
	magic      = "IFLVEC01"
	headerSize = len(magic) + len(Key{}) + 4 + 4
	float32Width,
	float64Width = 4, 8
)

func encode(k Key, vector []float64) []byte {
	width := float32Width
	for _, x := range vector {
		if float64(float32(x)) != x {
			width = float64Width
			break
		}
	}
	b := make([]byte, 0, headerSize+width*len(vector)+sha256.Size)
	b = append(append(b, magic...), k[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(vector)))
	b = binary.LittleEndian.AppendUint32(b, uint32(width))
	for _, x := range vector {
		if width == float32Width {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		} else {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// decode returns the vector of a file if it is whole and belongs to k.
func decode(k Key, b []byte) ([]float64, bool) {
	if len(b) < headerSize+sha256.Size || string(b[:len(magic)]) != magic || Key(b[len(magic):len(magic)+len(k)]) != k {
		return nil, false
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if sha256.Sum256(body) != [sha256.Size]byte(sum) {
		return nil, false
	}
	count := uint64(binary.LittleEndian.Uint32(b[headerSize-8:]))
	width := uint64(binary.LittleEndian.Uint32(b[headerSize-4:]))
	numbers := body[headerSize:]
	if count == 0 || width != float32Width && width != float64Width || count*width != uint64(len(numbers)) {
		return nil, false
	}
	vector := make([]float64, count)
	for i := range vector {
		if width == float32Width {
			vector[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*i:])))
		} else {
			vector[i] = math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:]))
		}
	}
	return vector, true
}
