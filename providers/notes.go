package providers

import (
	"fmt"
	"slices"
	"strings"
)

// Note is something that the user should hear although a job succeeded.
type Note struct {
	// Code names the kind of note, for programs.
	Code string
	// Inputs is the number of texts that it is about; 0: none in particular.
	Inputs int
	// Detail is what there is to say of them, without a verb in front.
	Detail string
}

// String returns the note as a sentence for a log.
func (n Note) String() string {
	switch n.Inputs {
	case 0:
		return n.Detail
	case 1:
		return "1 text is " + n.Detail
	}
	return fmt.Sprintf("%d texts are %s", n.Inputs, n.Detail)
}

// addNotes adds up notes by their code; the result is sorted by code.
func addNotes(sum, more []Note) []Note {
	for _, n := range more {
		i, found := slices.BinarySearchFunc(sum, n, func(a, b Note) int { return strings.Compare(a.Code, b.Code) })
		if found {
			sum[i].Inputs += n.Inputs
			continue
		}
		sum = slices.Insert(sum, i, n)
	}
	return sum
}
