//go:build interop

// Package llama tests IronFlow against llama.cpp's own server with real models.
package llama

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/ironflow/ironflow/testdata/interop/stand"
)

var (
	report   = stand.NewReport("llama")
	ironflow stand.Command
)

const version = "xllamacpp " + stand.LlamaVersion

func TestMain(m *testing.M) { os.Exit(report.Main(m)) }

// options say how to start the server.
type options struct {
	model string
	embed bool
	// pooling makes vectors of a chat model, which has none by itself.
	pooling string
	ctx     int
	key     string
}

// launch starts llama.cpp and does not wait for it.
func launch(t *testing.T, o options) (*stand.Server, string) {
	t.Helper()
	at := stand.FreePort(t)
	args := []string{stand.Python(t), "serve_llama.py", "--model", o.model, "--port", fmt.Sprint(at)}
	if o.embed {
		args = append(args, "--embed")
	}
	if o.pooling != "" {
		args = append(args, "--pooling", o.pooling)
	}
	if o.ctx != 0 {
		args = append(args, "--ctx", fmt.Sprint(o.ctx))
	}
	if o.key != "" {
		args = append(args, "--key", o.key)
	}
	s := stand.Start(t, "llama.cpp", stand.Here()+"/llama", nil, args...)
	return s, fmt.Sprintf("http://127.0.0.1:%d", at)
}

// serve starts llama.cpp and waits until its model is loaded.
func serve(t *testing.T, o options) (*stand.Server, string) {
	t.Helper()
	s, url := launch(t, o)
	s.Ready(t, url+"/health", 2*time.Minute)
	return s, url
}
