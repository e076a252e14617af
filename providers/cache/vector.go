package cache

import (
	"encoding/binary"
	"math"
)

// The content of a vector's file is, little endian: u32 count of numbers, u32
// bytes for each (4 or 8), the numbers as IEEE 754. Numbers take 4 bytes when
// that loses nothing.
const (
	countSize    = 4 + 4
	float32Width = 4
	float64Width = 8
)

// EncodeVector writes a vector as the content of a file.
func EncodeVector(vector []float64) []byte {
	width := float32Width
	for _, x := range vector {
		if float64(float32(x)) != x {
			width = float64Width
			break
		}
	}
	b := make([]byte, 0, countSize+width*len(vector))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(vector)))
	b = binary.LittleEndian.AppendUint32(b, uint32(width))
	for _, x := range vector {
		if width == float32Width {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		} else {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

// DecodeVector reads what [EncodeVector] wrote; ok is false when it is not
// that, or has no number.
func DecodeVector(b []byte) (vector []float64, ok bool) {
	if len(b) < countSize {
		return nil, false
	}
	count := uint64(binary.LittleEndian.Uint32(b))
	width := uint64(binary.LittleEndian.Uint32(b[4:]))
	numbers := b[countSize:]
	if count == 0 || width != float32Width && width != float64Width || count*width != uint64(len(numbers)) {
		return nil, false
	}
	vector = make([]float64, count)
	for i := range vector {
		if width == float32Width {
			vector[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*i:])))
		} else {
			vector[i] = math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:]))
		}
	}
	return vector, true
}
