package cache

import (
	"crypto/sha256"
)

// A file holds the magic of its kind, the key, the content, and SHA-256 of all
// that.
const headerSize = magicSize + len(Key{})

func seal(magic string, k Key, content []byte) []byte {
	b := make([]byte, 0, headerSize+len(content)+sha256.Size)
	b = append(append(append(b, magic...), k[:]...), content...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// open returns the content of a file if it is whole and belongs to k.
func open(magic string, k Key, b []byte) ([]byte, bool) {
	if len(b) < headerSize+sha256.Size || string(b[:magicSize]) != magic || Key(b[magicSize:headerSize]) != k {
		return nil, false
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if sha256.Sum256(body) != [sha256.Size]byte(sum) {
		return nil, false
	}
	return body[headerSize:], true
}
