package window

// Measure counts text in a unit: bytes, characters, tokens.
type Measure interface {
	// Count returns the size of text.
	Count(text string) int
	// Fit returns the length in bytes of the longest prefix of text, ending
	// between two code points, whose size is at most limit; the whole length if
	// all of it fits.
	Fit(text string, limit int) int
}

// Breaks knows where a text may be cut.
type Breaks interface {
	// Best returns the best break b of the window: After < b <= Limit, or
	// Limit < b <= Reach, which is a cut at Limit with the white space behind it
	// left to the next chunk. [None] means that there is none, so that the chunk
	// is cut at Limit; [MoreRoom] that a unit which must stay whole begins with
	// the chunk and does not fit behind what precedes it.
	Best(w Window) int
	// Rewind returns where an overlap begins that ends at last.Stop: the
	// earliest offset from o.From on such that whole units lie between, or
	// last.Stop if there is none.
	Rewind(o Overlap) int
	// Room returns the most that a chunk with its first character at ink should
	// measure: size, or less where something else counts with the chunk.
	Room(ink, size int) int
}

// Answers of [Breaks.Best] that are no offset.
const (
	None     = -1
	MoreRoom = -2
)

// Window is where a chunk that begins at Start may stop.
type Window struct {
	Start int
	// After is the offset that the chunk has to pass.
	After int
	// Limit is the farthest stop, between two grapheme clusters.
	Limit int
	// Reach is the first character from Limit on that is not white space.
	Reach int
}

// Overlap is what [Breaks.Rewind] is asked.
type Overlap struct {
	// Start and Stop are the chunk that is to be repeated in part.
	Start, Stop int
	// From is the earliest offset allowed, after Start.
	From int
	// Ink is where the text goes on behind Stop.
	Ink int
	// Fits reports whether a chunk from start to stop would be small enough.
	Fits func(start, stop int) bool
}
