package transporttest

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/ironflow/ironflow/transport"
)

// RunBodyLimits sends through a client whose MaxBodyBytes is near the size of the
// answer: one byte less than the limit and the limit itself must pass, one more
// must fail with KindBodyTooLarge, in every shape, for an answer with status 200
// and for one with status 500. answer is a JSON text that send accepts; it is
// padded with spaces. judgesStatus says that send fails by itself on the 500.
func RunBodyLimits(t *testing.T, answer []byte, send Send, judgesStatus bool) {
	t.Helper()
	limit := int64(len(answer)) + 70_000
	for _, shape := range Shapes() {
		for _, status := range []int{200, 500} {
			for _, extra := range []int64{-1, 0, 1} {
				t.Run(fmt.Sprintf("%s/%d/limit%+d", shape, status, extra), func(t *testing.T) {
					s := httptest.NewServer(shape.Handler(status, "application/json", Exactly(t, answer, limit+extra)))
					t.Cleanup(s.Close)
					c, err := transport.New(transport.Policy{MaxBodyBytes: limit})
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(c.CloseIdleConnections)
					ctx, cancel := context.WithTimeout(t.Context(), cellTimeout)
					defer cancel()
					err = send(ctx, c, s.URL)
					switch {
					case status == 500 && judgesStatus:
						if err == nil {
							t.Error("no error for status 500")
						}
					case extra <= 0 && err != nil:
						t.Errorf("%d bytes with a limit of %d: %v", limit+extra, limit, err)
					case extra > 0 && !errors.Is(err, transport.KindBodyTooLarge):
						t.Errorf("%d bytes with a limit of %d: got error %v, want kind body_too_large", limit+extra, limit, err)
					}
				})
			}
		}
	}
}
