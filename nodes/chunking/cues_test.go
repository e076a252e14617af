package chunking

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCues(t *testing.T) {
	cues := []Cue{
		{"Good evening.", 0, 900, "00:00:00.000", "00:00:00.900"},
		{"Die Fähre fährt.", 900, 2000, "00:00:00.900", "00:00:02.000"},
		{"This one is far longer than the limit allows it to be.", 2000, 5000, "", ""},
		{"End.", 5000, 6000, "00:00:05.000", "00:00:06.000"},
	}
	want := []CueChunk{
		{"Good evening. Die Fähre fährt.", "00:00:00.000", "00:00:02.000", 0, 2000, 2},
		{cues[2].Text, "", "", 2000, 5000, 1},
		{"End.", "00:00:05.000", "00:00:06.000", 5000, 6000, 1},
	}
	if got := Cues(cues, 30); !reflect.DeepEqual(got, want) {
		t.Errorf("30 characters fit exactly: got %+v", got)
	}
	if got := Cues(cues, 29); len(got) != 4 {
		t.Errorf("29 characters do not fit: got %+v", got)
	}
	if got := Cues(nil, 10); len(got) != 0 {
		t.Errorf("no cues: %+v", got)
	}
	if got := Cues(cues, 0); len(got) != len(cues) {
		t.Errorf("size 0: %+v", got)
	}
}

func FuzzCues(f *testing.F) {
	f.Add("one\ntwo\nthree four five", 9)
	f.Add("\n\n日本\n語", 3)
	f.Add("\xff\xfe\na", 1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		lines := strings.Split(text, "\n")
		cues := make([]Cue, len(lines))
		for i, l := range lines {
			cues[i] = Cue{Text: l, StartMS: int64(i), EndMS: int64(i) + 1, Start: l, End: l}
		}
		chunks := Cues(cues, size)
		next := 0
		for i, c := range chunks {
			if c.CueCount < 1 || next+c.CueCount > len(cues) {
				t.Fatalf("chunk %d holds %d cues from %d of %d", i, c.CueCount, next, len(cues))
			}
			part := lines[next : next+c.CueCount]
			last := next + c.CueCount - 1
			if c.Text != strings.Join(part, " ") || c.StartMS != int64(next) || c.EndMS != int64(last)+1 ||
				c.TSStart != lines[next] || c.TSEnd != lines[last] {
				t.Fatalf("chunk %d is %+v for %q", i, c, part)
			}
			chars := utf8.RuneCountInString(c.Text)
			if chars > size && c.CueCount > 1 {
				t.Fatalf("chunk %d has %d characters, limit %d", i, chars, size)
			}
			next += c.CueCount
			if next < len(cues) && size > 0 && utf8.RuneCountInString(c.Text+" "+lines[next]) <= size {
				t.Fatalf("chunk %d was closed although the next cue fits", i)
			}
		}
		if next != len(cues) {
			t.Fatalf("%d of %d cues", next, len(cues))
		}
	})
}
