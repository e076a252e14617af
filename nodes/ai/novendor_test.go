package ai

import (
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/local"
)

// TestRegisterWithoutVendors: a program that brings few vendors, or none, still
// has all nodes.
func TestRegisterWithoutVendors(t *testing.T) {
	for _, vendors := range [][]providers.Vendor{nil, {local.Vendor()}} {
		if err := Register(nodes.NewRegistry(), vendors); err != nil {
			t.Errorf("%d vendors: %v", len(vendors), err)
		}
	}
}
