package adversary

import (
	"math/rand/v2"
	"sync"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
)

// Play makes the model of an attack on a document. With stubborn it answers
// repairs as badly as everything else; otherwise it is honest when it is asked
// again. The same seed gives the same answers to questions in the same order.
func Play(a Attack, sentences []string, statements []script.Statement, stubborn bool, seed uint64) *script.Model {
	r := rand.New(rand.NewPCG(seed, uint64(len(a.Name))))
	var mu sync.Mutex // r is not for several goroutines
	m := &script.Model{Sentences: sentences, Statements: statements}
	if a.Extract != nil {
		m.Extract = func(asked script.Asked) script.Said {
			if asked.Repair && !stubborn || len(asked.Items) == 0 || len(asked.Lines) == 0 {
				return script.Said{Text: script.Encode(asked.Items)}
			}
			mu.Lock()
			defer mu.Unlock()
			return a.Extract(r, asked)
		}
	}
	if a.Group != nil {
		m.Group = func(lines []script.Line, honest string) script.Said {
			mu.Lock()
			defer mu.Unlock()
			return a.Group(r, lines, honest)
		}
	}
	return m
}

// Mixed is an attack that picks another one of the list for each question, for
// the grouping too.
func Mixed(list []Attack) Attack {
	var extract, group []Attack
	for _, a := range list {
		if a.Extract != nil {
			extract = append(extract, a)
		}
		if a.Group != nil {
			group = append(group, a)
		}
	}
	return Attack{
		Name: "mixed",
		Extract: func(r *rand.Rand, a script.Asked) script.Said {
			return extract[r.IntN(len(extract))].Extract(r, a)
		},
		Group: func(r *rand.Rand, lines []script.Line, honest string) script.Said {
			return group[r.IntN(len(group))].Group(r, lines, honest)
		},
	}
}
