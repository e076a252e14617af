package chunking

import "fmt"

// OptionError reports an option outside its allowed values.
type OptionError struct {
	// Param is the parameter's name as flow authors write it, e.g. "min_chars".
	Param string
	// Value is the refused value.
	Value any
	// Allowed says in words what would be accepted.
	Allowed string
}

// Error names the parameter, its value and what is allowed.
func (e *OptionError) Error() string {
	if s, ok := e.Value.(string); ok {
		return fmt.Sprintf("%s is %q; allowed is %s", e.Param, s, e.Allowed)
	}
	return fmt.Sprintf("%s is %v; allowed is %s", e.Param, e.Value, e.Allowed)
}

// InvalidUTF8Error reports text that is not valid UTF-8.
type InvalidUTF8Error struct {
	// Offset is the zero-based position of the first bad byte.
	Offset int
	// Byte is the value found there.
	Byte byte
}

// Error names the byte, its offset and the way out.
func (e *InvalidUTF8Error) Error() string {
	return fmt.Sprintf("text is not valid UTF-8: byte 0x%02x at byte offset %d; convert the text to UTF-8 first", e.Byte, e.Offset)
}
