package value

import (
	"math"
	"strconv"
)

func (e *encoder) float(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return errNotFinite(f)
	}
	e.buf = AppendFloat(e.buf, f)
	return nil
}

// AppendFloat appends a finite number as [AppendJSON] writes it. Negative
// zero is written as -0, which [ParseJSON] reads back as the same float64.
func AppendFloat(dst []byte, f float64) []byte {
	const exact = 1 << 53
	abs := math.Abs(f)
	switch {
	case f == math.Trunc(f) && abs <= exact:
		if f == 0 && math.Signbit(f) {
			return append(dst, "-0"...)
		}
		return strconv.AppendInt(dst, int64(f), 10)
	case abs >= 1e-6 && abs <= exact:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// The exponent of one digit is written e-7, not e-07.
	if n := len(dst); n-start >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
