package transport

import (
	"fmt"
	"io"
	"log/slog"
)

const masked = "***"

// Secret holds a value that must not be printed. It prints as *** in every
// format verb, in JSON, in text and in log/slog; the zero value stands for "not
// set" and prints as the empty string. Only Reveal returns the value.
type Secret struct {
	// A pointer: when a Secret sits in an unexported field, package fmt cannot
	// call its methods and prints the fields instead, which is then an address.
	p *string
}

// NewSecret wraps s. An empty s gives the zero Secret.
func NewSecret(s string) Secret {
	if s == "" {
		return Secret{}
	}
	return Secret{p: &s}
}

// Reveal returns the value itself, "" when it is not set.
func (s Secret) Reveal() string {
	if s.p == nil {
		return ""
	}
	return *s.p
}

// IsZero reports whether no value is set. encoding/json's omitzero uses it.
func (s Secret) IsZero() bool { return s.p == nil }

// String returns ***, or "" when no value is set.
func (s Secret) String() string {
	if s.p == nil {
		return ""
	}
	return masked
}

// GoString returns what String returns.
func (s Secret) GoString() string { return s.String() }

// Format writes what String returns, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalJSON returns "***", or "" when no value is set.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// MarshalText returns what String returns.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue returns what String returns.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
