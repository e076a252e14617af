package value

// Size returns about how many bytes of data v holds: strings and object keys
// by length, 8 for a number, 1 for a boolean. A [List] has the size of the
// array it stands for. The figure is for people; it counts no overhead.
func Size(v any) int64 {
	switch x := v.(type) {
	case bool:
		return 1
	case int64, float64:
		return 8
	case string:
		return int64(len(x))
	case map[string]any:
		var n int64
		for k, e := range x {
			n += int64(len(k)) + Size(e)
		}
		return n
	case []any:
		var n int64
		for _, e := range x {
			n += Size(e)
		}
		return n
	case *Floats:
		return 8 * int64(len(x.items))
	case *Vectors:
		return 8 * int64(len(x.data))
	case *Substrings:
		var n int64
		for _, s := range x.spans {
			n += int64(s.Stop - s.Start)
		}
		return n
	case *Spans:
		row := len("start") + len("stop") + 16
		if x.parents != nil {
			row += len("parent") + 8
		}
		return int64(row) * int64(len(x.spans))
	case *Records:
		row := 8 * len(x.names)
		for _, name := range x.names {
			row += len(name)
		}
		return int64(row) * int64(x.rows)
	case List:
		var n int64
		for i := range x.Len() {
			n += Size(x.At(i))
		}
		return n
	}
	return 0
}
