package local

import "math"

// writeUnit writes v scaled to length 1 and rounded to float32; all zeros when
// v is. Floating point begins here: each product is converted by itself, so
// that no processor fuses it with the addition.
func writeUnit(dst []float64, v *[dim]int64) {
	squares := 0.0
	for _, x := range v {
		f := float64(x)
		squares += float64(f * f)
	}
	if squares == 0 {
		clear(dst)
		return
	}
	length := math.Sqrt(squares)
	for i, x := range v {
		dst[i] = float64(float32(float64(x) / length))
	}
}

// writeHalf writes v scaled to length 1/sqrt 2, from the float32 values of the
// vector of length 1.
func writeHalf(dst []float64, v *[dim]int64) {
	writeUnit(dst, v)
	for i, x := range dst {
		dst[i] = float64(float32(float64(x * (1 / math.Sqrt2))))
	}
}

// writeStatic and writeHybrid write the vector of the text that was read last.
func (e *encoder) writeStatic(dst []float64) { writeUnit(dst, &e.sum) }

func (e *encoder) writeHybrid(dst []float64) {
	writeHalf(dst[:dim], &e.sum)
	writeHalf(dst[dim:], &e.tail)
}
