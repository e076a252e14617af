package providers

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
)

// vectorReader collects the vectors of one answer into one row-major slice.
type vectorReader struct {
	data []float64
	dim  int // 0 until the first vector is complete
	rows int
	want int // number of inputs
	max  int // greatest acceptable dimension; 0: any
}

// read consumes one vector: an array of numbers, or a base64 string of
// little-endian float32.
func (v *vectorReader) read(d *scanner) error {
	if v.rows == v.want {
		return v.tooMany()
	}
	start := len(v.data)
	var err error
	switch d.peek() {
	case '[':
		err = v.array(d)
	case '"':
		err = v.base64(d)
	case 'n':
		if err = d.word("null"); err == nil {
			err = v.bad("is null")
		}
	default:
		if err = d.skip(1); err == nil {
			err = v.bad("is neither an array of numbers nor a base64 text")
		}
	}
	if err != nil {
		return err
	}
	n := len(v.data) - start
	switch {
	case n == 0:
		return v.bad("is empty")
	case v.dim == 0:
		v.dim = n
		v.reserve(len(d.s))
	case n != v.dim:
		return v.bad("has %d numbers, the first one has %d", n, v.dim)
	}
	v.rows++
	return nil
}

// reserve makes room for all vectors once the length of the first is known, if
// an answer of that many bytes can hold them at all.
func (v *vectorReader) reserve(bytes int) {
	if total := v.dim * v.want; v.dim <= bytes/v.want && cap(v.data) < total {
		data := make([]float64, len(v.data), total)
		copy(data, v.data)
		v.data = data
	}
}

func (v *vectorReader) tooMany() error {
	return answerError("it has more vectors than the %d inputs", v.want)
}

// bad is the error for the vector that is being read.
func (v *vectorReader) bad(format string, args ...any) error {
	return answerError("vector %d of %d in the answer "+format, append([]any{v.rows + 1, v.want}, args...)...)
}

// limit is the length at which the current vector is known to be too long.
func (v *vectorReader) limit() int {
	if v.dim != 0 {
		return v.dim
	}
	if v.max > 0 {
		return v.max
	}
	return math.MaxInt
}

func (v *vectorReader) tooLong() error {
	if v.dim != 0 {
		return v.bad("has more numbers than the first one, which has %d", v.dim)
	}
	return &Error{Kind: KindConfig, Detail: "the vectors of the answer have more than " + strconv.Itoa(v.max) +
		" numbers, the most that " + MaxEmbeddingValuesVariable + " leaves for each input: embed fewer texts at once, ask for fewer dimensions, or raise that variable"}
}

// array reads the numbers of one vector. The document is scanned and checked
// here, once: this loop is what reading an answer costs.
func (v *vectorReader) array(d *scanner) error {
	s, i, limit, start := d.s, d.i+1, v.limit(), len(v.data)
	data := v.data
	for {
		for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
			i++
		}
		end := numberEnd(s, i)
		if end < 0 {
			d.i = i
			if i < len(s) && s[i] == ']' && len(data) == start {
				d.i++
				return nil
			}
			return v.badElement(d)
		}
		if len(data)-start == limit {
			return v.tooLong()
		}
		f, err := strconv.ParseFloat(s[i:end], 64)
		if err != nil {
			return v.bad("holds a number that is too great for a float64")
		}
		data = append(data, f)
		i = end
		if i < len(s) && s[i] == ',' {
			i++
			continue
		}
		d.i = i
		switch d.peek() {
		case ',':
			i = d.i + 1
		case ']':
			d.i++
			v.data = data
			return nil
		default:
			return d.syntax()
		}
	}
}

// badElement names what stands where a number should.
func (v *vectorReader) badElement(d *scanner) error {
	what := ""
	switch d.peek() {
	case 'n':
		what = "null"
	case '"':
		what = "a text"
	case '[':
		what = "an array"
	case '{':
		what = "an object"
	case 't', 'f':
		what = "a truth value"
	default:
		return d.syntax()
	}
	if err := d.skip(1); err != nil {
		return err
	}
	return v.bad("holds %s where a number should stand", what)
}

// base64 reads a vector that comes as text: packed little-endian float32.
func (v *vectorReader) base64(d *scanner) error {
	text, err := d.text()
	if err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	switch {
	case err != nil:
		return v.bad("is a text, but not base64")
	case len(raw)%4 != 0:
		return v.bad("is base64 of %d bytes, which is no whole number of float32 values", len(raw))
	case len(raw)/4 > v.limit():
		return v.tooLong()
	}
	for ; len(raw) > 0; raw = raw[4:] {
		f := float64(math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return v.bad("holds a value that is not finite")
		}
		v.data = append(v.data, f)
	}
	return nil
}

// finish checks the number of vectors.
func (v *vectorReader) finish() error {
	if v.rows != v.want {
		return answerError("it has %d vectors for %d inputs", v.rows, v.want)
	}
	return nil
}

// inOrder moves rows so that the row of input k comes k-th; index[r] is the
// input of row r, a permutation.
func (v *vectorReader) inOrder(index []int) {
	sorted := true
	for r, k := range index {
		sorted = sorted && r == k
	}
	if sorted {
		return
	}
	out := make([]float64, len(v.data))
	for r, k := range index {
		copy(out[k*v.dim:(k+1)*v.dim], v.data[r*v.dim:(r+1)*v.dim])
	}
	v.data = out
}
