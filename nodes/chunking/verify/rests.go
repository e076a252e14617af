package verify

import "slices"

// settle makes sure that an accepted statement is accepted with the sentences it is
// credited to alone; otherwise it keeps all that were named.
func (k *checking) settle() {
	if !k.OK() || len(k.Sentences) >= len(k.sentences) {
		return
	}
	narrow := k.c.Check(Statement{Text: k.text, Sentences: k.Sentences})
	if narrow.OK() {
		k.Sentences = narrow.Sentences
		return
	}
	k.Sentences = slices.Clone(k.sentences)
	slices.Sort(k.Sentences)
}
