package providers

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// normalizeRows scales each row to Euclidean length 1 in place. Rows of zeros
// stay as they are.
func normalizeRows(data []float64, dim int) {
	for lo := 0; lo+dim <= len(data) && dim > 0; lo += dim {
		row := data[lo : lo+dim]
		norm := floats.Norm(row, 2)
		if math.IsInf(norm, 0) {
			// The length overflows although each number is finite: bring the
			// greatest to 1 first.
			divide(row, math.Max(floats.Max(row), -floats.Min(row)))
			norm = floats.Norm(row, 2)
		}
		if norm != 0 {
			divide(row, norm)
		}
	}
}

func divide(row []float64, by float64) {
	for i := range row {
		row[i] /= by
	}
}
