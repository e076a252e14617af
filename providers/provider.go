package providers

import (
	"context"

	"github.com/ironflow/ironflow/transport"
)

// Runtime is what a vendor may use when it is opened.
type Runtime struct {
	// Vendor is the name under which the provider appears in error texts.
	Vendor string
	// Client sends every request.
	Client *transport.Client
	// Clock measures the life of tokens and waits between attempts.
	Clock Clock
	// Redactor learns every secret that a vendor obtains on its own, such as
	// an access token.
	Redactor *transport.Redactor
	// AllowInsecureHTTP lets credentials travel over plain http to addresses
	// that are neither loopback nor private.
	AllowInsecureHTTP bool
}

// Provider is a vendor opened with one set of settings. What it can do is told
// by the further interfaces it implements, such as [Embedder]. It is safe for
// concurrent use.
type Provider interface {
	// Address is the base address that requests go to, without credentials or
	// query; empty when nothing leaves the process.
	Address() string
}

// Embedder turns one batch of texts into vectors with exactly one exchange
// (a refreshed credential may repeat it once). It does not retry, and it
// reports every failure as an [*Error].
type Embedder interface {
	Provider
	EmbedBatch(ctx context.Context, req *EmbedRequest) (*EmbedAnswer, error)
}

// EmbedChecker is an [Embedder] that knows without a request which models and
// vector lengths it has. The error is an [*Error] of KindConfig.
type EmbedChecker interface {
	Embedder
	CheckEmbed(model string, dimensions int) error
}

// Versioned is a [Provider] whose vectors can change while address and model
// keep their names, because the model is part of the program. Vectors of
// different versions are not mixed.
type Versioned interface {
	Provider
	Version(model string) string
}

// EmbedRequest is one batch.
type EmbedRequest struct {
	Model string
	// Dimensions is the vector length to ask for; 0 leaves it to the model.
	Dimensions int
	// Texts are valid UTF-8, at least one, with the prefix already in front.
	Texts []string
	// EncodingFormat is "float", "base64" or empty (say nothing). Vendors
	// without such a choice ignore it; both forms are always read.
	EncodingFormat string
	// MaxDimension is the greatest vector length that the caller can accept;
	// a longer vector fails before it is read to its end. 0 means no limit.
	MaxDimension int
}

// EmbedAnswer is the answer to one batch: len(Texts) rows of Dim finite
// numbers, in the order of the texts.
type EmbedAnswer struct {
	Data []float64 // row-major, len(Texts) x Dim
	Dim  int
	// Model is the model that the server says it used; empty when it said
	// nothing or something that is no plain model name.
	Model string
	Usage *Usage // nil when the server did not say
	// Notes are what the caller should hear although the batch succeeded.
	Notes []Note
}

// Usage counts tokens as the provider reports them.
type Usage struct {
	InputTokens  int64
	OutputTokens int64
	TotalTokens  int64
}

// add sums two reports.
func (u Usage) add(v Usage) Usage {
	return Usage{
		InputTokens:  u.InputTokens + v.InputTokens,
		OutputTokens: u.OutputTokens + v.OutputTokens,
		TotalTokens:  u.TotalTokens + v.TotalTokens,
	}
}
