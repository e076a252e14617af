// Package builtin lists the vendors that come with IronFlow.
package builtin

import (
	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/local"
	"github.com/ironflow/ironflow/providers/oauth"
	"github.com/ironflow/ironflow/providers/ollama"
	"github.com/ironflow/ironflow/providers/openai"
)

// Vendors returns the built-in vendors. Call it once for each set: the vendors
// hold what has to live as long as the set does, such as access tokens.
func Vendors() []providers.Vendor {
	return []providers.Vendor{local.Vendor(), openai.Vendor(), ollama.Vendor(), oauth.Vendor()}
}
