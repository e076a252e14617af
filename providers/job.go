package providers

import (
	"fmt"
	"time"
)

// Ranges and defaults of an [EmbedJob]. A field that is zero gets its default,
// except BatchRetries, where zero means no retry.
const (
	DefaultBatchSize     = 512
	MaxBatchSize         = 2048
	DefaultBatchMaxBytes = 262144
	MaxBatchMaxBytes     = 52428800
	DefaultBatchRetries  = 2
	MaxBatchRetries      = 5
	MaxBatchConcurrency  = 16
	DefaultEmbedTimeout  = 120 * time.Second
	DefaultCacheMaxBytes = 1073741824
)

// EmbedJob asks for the vectors of any number of texts.
type EmbedJob struct {
	// Provider is the vendor's name; Params its settings as the flow gives
	// them. A secret is a transport.Secret or a plain string.
	Provider string
	Params   map[string]any
	// Model is empty for the vendor's default.
	Model string
	// Dimensions is the vector length to ask for and to insist on; 0: any.
	Dimensions int
	// Texts are valid UTF-8 and neither empty nor white space alone.
	Texts []string
	// Prefix is put before each text and counts towards BatchMaxBytes.
	Prefix string
	// A batch closes at BatchSize texts or BatchMaxBytes bytes of text,
	// whichever comes first.
	BatchSize     int // 1..2048
	BatchMaxBytes int // 1..52428800
	// BatchRetries is how often a failed batch is sent again, 0..5.
	BatchRetries int
	// BatchConcurrency is how many batches are under way at once, 1..16. The
	// first batch always goes alone: its dimension decides whether the rest
	// fits the limit on values.
	BatchConcurrency int
	// Timeout bounds each request.
	Timeout time.Duration
	// EncodingFormat is "float", "base64" or empty; see [EmbedRequest].
	EncodingFormat string
	// Normalize scales each vector to length 1; a vector of zeros stays.
	Normalize bool
	// CacheDir is a folder in which vectors are kept, so that only texts that
	// are new to it are sent; empty: none. It is made when it does not exist.
	CacheDir string
	// CacheMaxBytes bounds the size of what is kept; vectors that were not used
	// for the longest time go first. 0 stands for DefaultCacheMaxBytes.
	CacheMaxBytes int64
	// Progress, when set, is called after each batch with the number of
	// batches done and their total, never twice at once.
	Progress func(done, total int)
}

// Embeddings are the vectors of a job, in the order of its texts.
type Embeddings struct {
	Data  []float64 // row-major, Count x Dim
	Count int
	Dim   int
	// Model is the model that was asked for; empty when there was no text and
	// so no request.
	Model string
	// ReportedModel is the model that the server says it used, empty when it
	// says none. Servers are known to answer with another one.
	ReportedModel string
	// Usage is the sum over all batches; nil unless every answer had it.
	Usage *Usage
	// Notes are what the user should hear, once, although the job succeeded;
	// one for each code.
	Notes []Note
	// Cached is the number of texts whose vectors came from CacheDir.
	Cached int
}

// withDefaults fills in zero fields and checks every range.
func (j EmbedJob) withDefaults() (EmbedJob, error) {
	if j.BatchSize == 0 {
		j.BatchSize = DefaultBatchSize
	}
	if j.BatchMaxBytes == 0 {
		j.BatchMaxBytes = DefaultBatchMaxBytes
	}
	if j.BatchConcurrency == 0 {
		j.BatchConcurrency = 1
	}
	if j.Timeout == 0 {
		j.Timeout = DefaultEmbedTimeout
	}
	if j.CacheMaxBytes == 0 {
		j.CacheMaxBytes = DefaultCacheMaxBytes
	}
	for _, r := range []struct {
		name        string
		got, lo, hi int
	}{
		{"batch_size", j.BatchSize, 1, MaxBatchSize},
		{"batch_max_bytes", j.BatchMaxBytes, 1, MaxBatchMaxBytes},
		{"batch_retries", j.BatchRetries, 0, MaxBatchRetries},
		{"batch_concurrency", j.BatchConcurrency, 1, MaxBatchConcurrency},
	} {
		if r.got < r.lo || r.got > r.hi {
			return j, configError("%s is %d, allowed are %d..%d", r.name, r.got, r.lo, r.hi)
		}
	}
	switch {
	case j.Dimensions < 0:
		return j, configError("dimensions is %d: give a positive number, or leave it out to take what the model returns", j.Dimensions)
	case j.Timeout < 0:
		return j, configError("timeout is %v: give a positive number of seconds", j.Timeout)
	case j.CacheMaxBytes < 0:
		return j, configError("cache_max_bytes is %d: give a positive number of bytes", j.CacheMaxBytes)
	case j.EncodingFormat != "" && j.EncodingFormat != "float" && j.EncodingFormat != "base64":
		return j, configError(`encoding_format is %q, allowed are "float" and "base64"`, j.EncodingFormat)
	}
	return j, nil
}

// configError is a mistake in the configuration: our own words only.
func configError(format string, args ...any) error {
	return &Error{Kind: KindConfig, Detail: fmt.Sprintf(format, args...)}
}
