package local

// rowSum adds up rows of int8, each times a scale of 16 bits. Two sums of 32
// bits share a uint64, so that one multiplication serves two numbers: the
// bytes are taken as q + 128, which is never negative, and what that adds is
// taken off at the end.
//
// A lane holds at most maxRows x 65535 x 255, which is below 2^32. No lane ever
// spills into its neighbour, and the sums are exact.
type rowSum struct {
	// lanes[j][k] holds the numbers 8j+k (low) and 8j+k+4 (high).
	lanes  [dim / 8][4]uint64
	scales int64 // the sum of the scales
	rows   int
}

const (
	// maxRows is the number of rows after which the sums must be drained.
	maxRows = 256
	// lowBytes picks two bytes of eight, one for each lane.
	lowBytes = 0x000000ff_000000ff
	// flip turns eight int8 into eight q + 128.
	flip = 0x80808080_80808080
	bias = 128
)

// add adds a row of dim bytes.
func (s *rowSum) add(row string, scale uint64) {
	for j := range s.lanes {
		q := uint64(row[0]) | uint64(row[1])<<8 | uint64(row[2])<<16 | uint64(row[3])<<24 |
			uint64(row[4])<<32 | uint64(row[5])<<40 | uint64(row[6])<<48 | uint64(row[7])<<56
		row = row[8:]
		q ^= flip
		lanes := &s.lanes[j]
		lanes[0] += scale * (q & lowBytes)
		lanes[1] += scale * (q >> 8 & lowBytes)
		lanes[2] += scale * (q >> 16 & lowBytes)
		lanes[3] += scale * (q >> 24 & lowBytes)
	}
	s.scales += int64(scale)
	s.rows++
}

// drain moves the sums to dst and starts anew.
func (s *rowSum) drain(dst *[dim]int64) {
	off := bias * s.scales
	for j, lanes := range s.lanes {
		for k, both := range lanes {
			dst[8*j+k] += int64(uint32(both)) - off
			dst[8*j+k+4] += int64(both>>32) - off
		}
	}
	*s = rowSum{}
}

// addRow adds a row of the model, times its scale.
func (e *encoder) addRow(row int) {
	scale := uint64(e.table.mul[2*row]) | uint64(e.table.mul[2*row+1])<<8
	e.recent.add(e.table.rows[row*dim:row*dim+dim], scale)
	if e.recent.rows == maxRows {
		e.recent.drain(&e.sum)
	}
}
