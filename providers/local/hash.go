package local

// Kinds of features, the first byte of what is hashed. kindContinued occurs in
// the table only.
const (
	kindWord      byte = 'w' // also characters, pairs and syllables
	kindPrefix5   byte = 'p'
	kindPrefix8   byte = 'q'
	kindTrigram   byte = 'c'
	kindContinued byte = '#'
)

// Constants of FNV-1a with 64 bits, and of the finalizer of MurmurHash3.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
	mixer     = 0xff51afd7ed558ccd
)

// fnv is FNV-1a over a kind and the bytes of a text.
func fnv[T string | []byte](kind byte, text T) uint64 {
	h := (uint64(fnvOffset) ^ uint64(kind)) * fnvPrime
	for i := 0; i < len(text); i++ {
		h = (h ^ uint64(text[i])) * fnvPrime
	}
	return h
}

// mix spreads a hash over all bits; slots and signs are taken from the result.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= mixer
	return h ^ h>>33
}

// hashSet holds the features that a text has shown so far. Emptying it costs
// nothing: an entry counts only when it bears the present generation.
type hashSet struct {
	keys       []uint64
	generation []uint32
	now        uint32
	count      int
}

const (
	smallestSet = 1 << 8
	// keptSet is the greatest set that is kept for the next text.
	keptSet = 1 << 14
)

// reset empties the set.
func (s *hashSet) reset() {
	s.count = 0
	s.now++
	if s.now == 0 || len(s.keys) == 0 || len(s.keys) > keptSet {
		*s = hashSet{keys: make([]uint64, smallestSet), generation: make([]uint32, smallestSet), now: 1}
	}
}

// add reports whether h is new.
func (s *hashSet) add(h uint64) bool {
	if 2*s.count >= len(s.keys) {
		s.grow()
	}
	i := s.slot(h)
	if s.generation[i] == s.now {
		return false
	}
	s.keys[i], s.generation[i] = h, s.now
	s.count++
	return true
}

// slot is where h stands or would stand.
func (s *hashSet) slot(h uint64) uint64 {
	mask := uint64(len(s.keys) - 1)
	// The low bits of h choose the slot of the vector; hostile texts that
	// share them all must not share a slot here.
	i := (h >> 32) & mask
	for s.generation[i] == s.now && s.keys[i] != h {
		i = (i + 1) & mask
	}
	return i
}

func (s *hashSet) grow() {
	old := *s
	s.keys, s.generation = make([]uint64, 2*len(old.keys)), make([]uint32, 2*len(old.keys))
	for i, h := range old.keys {
		if old.generation[i] == old.now {
			at := s.slot(h)
			s.keys[at], s.generation[at] = h, s.now
		}
	}
}
