package chunking

// SplitOptions says how [Split] cuts.
type SplitOptions struct {
	// Delimiters is the set of characters to cut after; empty cuts nowhere.
	Delimiters string
	// MinChars is the least number of characters of a chunk, 0 for no least.
	MinChars int
}

// Split cuts text after every delimiter character.
//
// With MinChars, pieces are joined from left to right whenever the one gathered
// so far or the next one has fewer characters, so every chunk reaches MinChars
// unless the whole text does not.
//
// Errors are an [*OptionError] or an [*InvalidUTF8Error]. Empty text gives no
// chunks.
func Split(text string, o SplitOptions) ([]Span, error) {
	if o.MinChars < 0 {
		return nil, &OptionError{Param: "min_chars", Value: o.MinChars, Allowed: "a number of characters from 0 on"}
	}
	set, err := newDelimiterSet(o.Delimiters)
	if err != nil {
		return nil, err
	}
	if err := CheckUTF8(text); err != nil {
		return nil, err
	}
	// Counting first keeps the peak at the spans themselves: growing by append
	// would hold two copies of a long list.
	pieces := 0
	for stop := 0; stop < len(text); pieces++ {
		stop = nextStop(set, text, stop)
	}
	if o.MinChars > 0 {
		return splitJoined(text, set, o.MinChars, min(pieces, len(text)/o.MinChars+1)), nil
	}
	spans := make([]Span, 0, pieces)
	for p := 0; p < len(text); {
		stop := nextStop(set, text, p)
		spans = append(spans, Span{Start: p, Stop: stop})
		p = stop
	}
	return spans, nil
}

// nextStop is where the piece that starts at p ends.
func nextStop(set *delimiterSet, text string, p int) int {
	if !set.empty {
		if stop := set.stop(text, p); stop >= 0 {
			return stop
		}
	}
	return len(text)
}

func splitJoined(text string, set *delimiterSet, least, atMost int) []Span {
	spans := make([]Span, 0, atMost)
	gathered := 0 // characters of the last span
	for p := 0; p < len(text); {
		stop := nextStop(set, text, p)
		chars := countChars(text[p:stop])
		if len(spans) > 0 && (gathered < least || chars < least) {
			spans[len(spans)-1].Stop = stop
			gathered += chars
		} else {
			spans = append(spans, Span{Start: p, Stop: stop})
			gathered = chars
		}
		p = stop
	}
	return spans
}
