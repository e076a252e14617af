package transporttest

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/ironflow/ironflow/transport"
)

const sampleKey = "sk-sample-0123456789"

func newPost(ctx context.Context, url string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"input":["a text"]}`))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return req, transport.SetCredential(req, "X-Api-Key", "", transport.NewSecret(sampleKey))
}

func drain(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// Post is the Send of our own calls: one JSON POST with a credential, whose
// answer is read to its end.
func Post(ctx context.Context, c *transport.Client, baseURL string) error {
	req, err := newPost(ctx, baseURL+"/v1/embeddings")
	if err != nil {
		return err
	}
	return drain(c.Do(req))
}
