package markdown

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/pack"
)

var fuzzUnits = []pack.Measure{bytesUnit, charsUnit, pairUnit{}}

var fuzzSeeds = []string{
	"", "\n\n", "# A\n\ntext\n\n## B\n\nmore text here.\n", "---\na: 1\n---\n\n# T\n", "---\n\n---\n", "+++\nx\n+++\nT\n",
	"```go\nx := 1\n\n\ty()\n```\n", "~~~ruby\n```\n~~~~~\n# no\n", "- a\n\n  ```\n  code\n  ```\n- b\n  1. c\n  2. d\n",
	"| a | b |\n|---|:-:|\n| 1 | 2 |\n| \\| | 4 |\nnot | a row?\n\nend\n", "text\n| a |\n|---|\n| " + strings.Repeat("long ", 30) + "|\n| 2 |\n",
	"> q\n> ```\n> c\n> ```\n>\n> - x\n> - y\nlazy\n", "<div>\n\n*a*\n\n</div>\n<!-- x\n\ny -->\n", "Title\n=====\n\nSub\n---\nbody\n",
	"    code\n\n    more\n\ttab\n", "* * *\n- - - - x\n", "[a]: /b \"c\"\n\n[x][a] ![i](j)\n", "\ufeff# A\r\n\r\ntext\r\n", "```\nopen\n\n\n",
	strings.Repeat(">", 150) + "x\n" + strings.Repeat("- ", 150) + "y\n", "👩‍👩‍👧‍👦🇩🇪 e\u0301\u0301 \u0301\n\n- 。天地玄黄\n", "a" + strings.Repeat(" ", 60) + "b\n#",
	"# " + strings.Repeat("word ", 30) + "\n\n```\nfence\n```\n", "1. a\n\n       code\n\n2. b\n***\n10) z\n",
}

func FuzzSplit(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s, uint16(29), uint16(10), uint8(0))
		f.Add(s, uint16(9), uint16(3), uint8(1))
		f.Add(s, uint16(60), uint16(30), uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, size, overlap uint16, kind uint8) {
		o := Options{Size: 1 + int(size)%300, Unit: fuzzUnits[int(kind)%3]}
		if !utf8.ValidString(text) {
			_, err := Split(text, o)
			if bad := new(chunking.InvalidUTF8Error); !errors.As(err, &bad) {
				t.Fatalf("invalid UTF-8: %v", err)
			}
			return
		}
		chunks := mustSplit(t, text, o)
		checkPromises(t, text, chunks, o.Unit, o.Size)
		checkWhole(t, text, chunks, o)
		if again := mustSplit(t, text, o); !reflect.DeepEqual(chunks, again) {
			t.Fatalf("%v, then %v", chunks, again)
		}
		if got := Texts(text, chunks); len(got) != len(chunks) {
			t.Fatalf("%d texts of %d chunks", len(got), len(chunks))
		}
		o.Overlap = int(overlap) % o.Size
		chunks = mustSplit(t, text, o)
		checkSizes(t, text, chunks, o.Unit, o.Size)
		checkWhole(t, text, chunks, o)
		for i := 1; i < len(chunks); i++ {
			one, two := chunks[i-1], chunks[i]
			if two.Start < one.Stop && o.Unit.Count(text[two.Start:one.Stop]) > o.Overlap {
				t.Fatalf("overlap %q is more than %d", text[two.Start:one.Stop], o.Overlap)
			}
			if strings.TrimSpace(text[min(one.Stop, two.Stop):two.Stop]) == "" {
				t.Fatalf("chunk %d adds nothing", i)
			}
		}
	})
}
