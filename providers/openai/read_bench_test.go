package openai_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/openai"
	"github.com/ironflow/ironflow/transport"
)

// BenchmarkReadAnswer embeds 2,000 texts whose answer holds 2,000 x 1,536
// numbers of 17 significant digits, from the request on a loopback connection
// to the checked matrix, and reports the time relative to strconv.ParseFloat
// over the same number texts in the same run.
func BenchmarkReadAnswer(b *testing.B) {
	const rows, dim = 2000, 1536
	rng := rand.New(rand.NewSource(1))
	var body bytes.Buffer
	numbers := make([]string, 0, rows*dim)
	body.WriteString(`{"object":"list","data":[`)
	for r := range rows {
		if r > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"object":"embedding","index":%d,"embedding":[`, r)
		for c := range dim {
			if c > 0 {
				body.WriteByte(',')
			}
			n := strconv.FormatFloat(rng.NormFloat64()/40, 'g', 17, 64)
			numbers = append(numbers, n)
			body.WriteString(n)
		}
		body.WriteString("]}")
	}
	body.WriteString(`],"model":"m","usage":{"prompt_tokens":8,"total_tokens":8}}`)

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
		_, _ = w.Write(body.Bytes())
	}))
	defer server.Close()
	client, err := transport.New(transport.Policy{MaxBodyBytes: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer client.CloseIdleConnections()
	set, err := providers.NewSet(providers.SetOptions{Vendors: []providers.Vendor{openai.Vendor()}, Client: client})
	if err != nil {
		b.Fatal(err)
	}
	job := providers.EmbedJob{
		Provider: "openai", Model: "m", BatchSize: rows,
		Params: map[string]any{"base_url": server.URL},
	}
	for range rows {
		job.Texts = append(job.Texts, "text")
	}

	b.SetBytes(int64(body.Len()))
	var read, parse time.Duration
	for b.Loop() {
		start := time.Now()
		got, err := set.Embed(b.Context(), job)
		if err != nil || got.Dim != dim {
			b.Fatal(err)
		}
		read += time.Since(start)
		start = time.Now()
		for _, n := range numbers {
			if _, err := strconv.ParseFloat(n, 64); err != nil {
				b.Fatal(err)
			}
		}
		parse += time.Since(start)
	}
	b.ReportMetric(float64(read)/float64(parse), "x-ParseFloat")
	b.ReportMetric(float64(body.Len())/1e6, "MB-body")
}
