package providers

import (
	"fmt"
	"net/url"

	"github.com/ironflow/ironflow/transport"
)

// firstShape fixes the dimension of the job and makes room for all vectors.
func (r *embedRun) firstShape(a *EmbedAnswer) error {
	if r.job.Dimensions != 0 && a.Dim != r.job.Dimensions {
		return wrongDimension(r.job.Dimensions, a.Dim)
	}
	if err := r.checkValues(a.Dim); err != nil {
		return err
	}
	r.dim = a.Dim
	r.data = a.Data
	if len(r.plan) > 1 {
		r.data = make([]float64, a.Dim*len(r.job.Texts))
	}
	return nil
}

// checkValues compares dim x inputs with the limit, without overflow.
func (r *embedRun) checkValues(dim int) error {
	if n := int64(r.total); int64(dim) > r.maxVals/n {
		return tooManyValues(fmt.Sprintf("%d inputs with %d numbers each", n, dim), r.maxVals)
	}
	return nil
}

func tooManyValues(what string, limit int64) error {
	return &Error{Kind: KindConfig, Detail: fmt.Sprintf(
		"%s are more than %s allows (%d): embed fewer texts at once, ask for fewer dimensions, or raise that variable",
		what, MaxEmbeddingValuesVariable, limit)}
}

func wrongDimension(asked, got int) error {
	return answerError("dimensions=%d was asked for, the vectors have %d numbers: this model or server ignores dimensions; leave the parameter out or use another model", asked, got)
}

func answerError(format string, args ...any) error {
	return &Error{Kind: KindAnswer, Detail: "the answer is not usable: " + fmt.Sprintf(format, args...)}
}

// named puts the provider and its address on an error about the shape of an
// answer, which no vendor saw.
func (r *embedRun) named(err error) error {
	e := asError(err)
	if e == nil || e.Kind != KindAnswer || e.Provider != "" {
		return err
	}
	c := *e
	c.Provider = r.job.Provider
	if u, err := url.Parse(r.embedder.Address()); err == nil {
		if origin, err := transport.Origin(u); err == nil {
			c.Origin = origin
		}
	}
	return &c
}

// longest is the 0-based position of the longest text of a batch. No server is
// known that says which of several inputs did not fit.
func (r *embedRun) longest(sp span) int {
	longest := sp.lo
	for i := sp.lo; i < sp.hi; i++ {
		if len(r.job.Texts[i]) > len(r.job.Texts[longest]) {
			longest = i
		}
	}
	return longest
}
