package transport_test

import (
	"testing"

	"github.com/ironflow/ironflow/transport/transporttest"
)

func TestHostileServers(t *testing.T) {
	transporttest.Baseline(t)
	transporttest.RunHostiles(t, transporttest.Post, false)
}

func TestBodyLimits(t *testing.T) {
	transporttest.Baseline(t)
	transporttest.RunBodyLimits(t, []byte(`{"a":1}`), transporttest.Post, false)
}
