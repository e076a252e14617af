package local

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestIntegersUntilTheEnd checks that floating point occurs only where sums
// become vectors (vector.go) and where vectors are handed on (local.go):
// processors round and fuse it differently, integers are the same everywhere.
func TestIntegersUntilTheEnd(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range files {
		name := f.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		floats := false
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				floats = floats || n.Name == "float64" || n.Name == "float32" || n.Name == "math"
			case *ast.BasicLit:
				floats = floats || n.Kind == token.FLOAT
			}
			return true
		})
		if floats {
			seen++
		}
		if allowed := name == "vector.go" || name == "local.go"; floats && !allowed {
			t.Errorf("%s has floating point", name)
		}
	}
	if seen == 0 {
		t.Error("no file has floating point")
	}
}
