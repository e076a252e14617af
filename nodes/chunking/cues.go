package chunking

import (
	"strings"
	"unicode/utf8"
)

// Cue is one timed line of a transcript.
type Cue struct {
	// Text is what is said.
	Text string
	// StartMS and EndMS are milliseconds from the beginning.
	StartMS, EndMS int64
	// Start and End are the same times as written in the transcript, e.g.
	// "00:01:02.500"; they may be empty.
	Start, End string
}

// CueChunk is a run of neighbouring cues.
type CueChunk struct {
	// Text is the cues' texts joined by one space.
	Text string
	// TSStart is the first cue's Start, TSEnd the last one's End.
	TSStart, TSEnd string
	// StartMS is the first cue's, EndMS the last one's.
	StartMS, EndMS int64
	// CueCount is the number of cues in the chunk.
	CueCount int
}

// Cues packs cues in order into chunks of at most size characters (code
// points), joining spaces included. A cue is never cut: one longer than size
// stands alone, and so does every cue when size is below 1.
func Cues(cues []Cue, size int) []CueChunk {
	var out []CueChunk
	for first := 0; first < len(cues); {
		chars := utf8.RuneCountInString(cues[first].Text)
		stop := first + 1
		for ; stop < len(cues) && chars < size; stop++ {
			more := 1 + utf8.RuneCountInString(cues[stop].Text)
			if more > size-chars {
				break
			}
			chars += more
		}
		out = append(out, joinCues(cues[first:stop]))
		first = stop
	}
	return out
}

func joinCues(cues []Cue) CueChunk {
	texts := make([]string, len(cues))
	for i, c := range cues {
		texts[i] = c.Text
	}
	first, last := cues[0], cues[len(cues)-1]
	return CueChunk{
		Text:     strings.Join(texts, " "),
		TSStart:  first.Start,
		TSEnd:    last.End,
		StartMS:  first.StartMS,
		EndMS:    last.EndMS,
		CueCount: len(cues),
	}
}
