package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ironflow/ironflow"

// goFile is a parsed product file; dir is its folder below the root.
type goFile struct {
	path, dir string
	test      bool
	syntax    *ast.File
	imports   []string // of this module, without its prefix
}

// productFiles parses every Go file of this module; nested modules are not part of it.
func productFiles(t *testing.T) (*token.FileSet, []goFile) {
	t.Helper()
	root := filepath.Join("..", "..")
	fset := token.NewFileSet()
	var files []goFile
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
				return filepath.SkipDir
			}
			if name == "testdata" || (strings.HasPrefix(name, ".") && path != root) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		g := goFile{path: filepath.ToSlash(rel), dir: filepath.ToSlash(filepath.Dir(rel)), test: strings.HasSuffix(path, "_test.go"), syntax: f}
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			if rest, ok := strings.CutPrefix(p, module+"/"); ok {
				g.imports = append(g.imports, rest)
			}
		}
		files = append(files, g)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d Go files found; the walk is broken", len(files))
	}
	return fset, files
}

// rank orders the layers; a package imports its own rank and below.
func rank(path string) int {
	first, _, _ := strings.Cut(path, "/")
	return map[string]int{"transport": 1, "providers": 2, "nodes": 3, "flow": 4, "lua": 5, "cmd": 6}[first]
}

func TestLayersImportDownwards(t *testing.T) {
	_, files := productFiles(t)
	for _, f := range files {
		if rank(f.dir) == 0 {
			t.Errorf("%s lies in no known layer", f.path)
		}
		for _, imp := range f.imports {
			if f.test && isTestHelper(imp) {
				continue
			}
			if rank(imp) > rank(f.dir) {
				t.Errorf("%s imports %s, which is a layer above it", f.path, imp)
			}
			if why := forbidden(f.dir, imp); why != "" && !(f.test && strings.HasPrefix(why, "family")) {
				t.Errorf("%s imports %s: %s", f.path, imp, why)
			}
		}
	}
}

func isTestHelper(imp string) bool {
	return imp == "transport/transporttest" || imp == "providers/providertest" || imp == "nodes/nodetest"
}

// forbidden gives the reason why a package may not import another of its layer.
func forbidden(dir, imp string) string {
	within := func(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }
	data := func(p string) bool { return p == "nodes/value" || p == "nodes/template" || p == "nodes/condition" }
	families := []string{"nodes/ai", "nodes/data", "nodes/file", "nodes/control", "nodes/web", "nodes/process"}
	family := func(p string) string {
		for _, f := range families {
			if within(p, f) {
				return f
			}
		}
		return ""
	}
	switch {
	case data(dir) && !data(imp):
		return "value, template and condition import only one another"
	case within(dir, "nodes/chunking") && imp != "nodes/value" && !within(imp, "nodes/chunking"):
		return "the chunking library knows neither transport, providers, nodes nor Lua"
	case within(dir, "nodes/retrieval") && imp != "nodes/value" && !within(imp, "nodes/retrieval") && !within(imp, "nodes/chunking"):
		return "the retrieval library knows neither transport, providers, nodes nor Lua"
	case dir == "nodes" && family(imp) != "":
		return "package nodes imports no family"
	case family(dir) != "" && family(imp) != "" && family(dir) != family(imp):
		return "family imports family"
	case within(imp, "providers/providertest") || within(imp, "transport/transporttest") || within(imp, "nodes/nodetest"):
		if !within(dir, "providers/providertest") && !within(dir, "transport/transporttest") && !within(dir, "nodes/nodetest") {
			return "helpers of tests are not part of the product"
		}
	}
	return ""
}

// TestOneDoorToTheProcess keeps exits, the environment and HTTP clients where
// they belong, and package state away.
func TestOneDoorToTheProcess(t *testing.T) {
	fset, files := productFiles(t)
	for _, f := range files {
		if f.test || strings.HasSuffix(f.dir, "test") {
			continue
		}
		app := strings.HasPrefix(f.dir, "cmd/ironflow/app")
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init() registers behind everybody's back", fset.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				name := selector(n)
				switch name {
				case "os.Exit", "os.Getenv", "os.LookupEnv", "os.Environ", "os.Setenv", "os.Args", "os.Stdin", "os.Stdout", "os.Stderr":
					if !app {
						t.Errorf("%s: %s outside the command package", fset.Position(n.Pos()), name)
					}
				case "http.DefaultClient", "http.DefaultTransport", "http.Get", "http.Post", "http.PostForm", "http.Head", "http.Client", "http.Transport":
					if f.dir != "transport" && !(name == "http.Client" && pointerOnly(f.syntax, n)) {
						t.Errorf("%s: %s outside package transport", fset.Position(n.Pos()), name)
					}
				}
			}
			return true
		})
	}
}

func selector(n *ast.SelectorExpr) string {
	if x, ok := n.X.(*ast.Ident); ok {
		return x.Name + "." + n.Sel.Name
	}
	return ""
}

// pointerOnly reports whether a mention of http.Client is the type of a pointer
// (a client that is passed through) rather than a client that is built.
func pointerOnly(file *ast.File, n *ast.SelectorExpr) bool {
	found := false
	ast.Inspect(file, func(m ast.Node) bool {
		if s, ok := m.(*ast.StarExpr); ok && s.X == n {
			found = true
		}
		return !found
	})
	return found
}

// TestFileSizes keeps files readable: a file above 600 lines is several things.
func TestFileSizes(t *testing.T) {
	fset, files := productFiles(t)
	for _, f := range files {
		if n := fset.Position(f.syntax.End()).Line; n > 600 {
			t.Errorf("%s has %d lines", f.path, n)
		}
	}
}

// TestCommentsNameNoMachine: nothing in the tree may depend on where it was written.
func TestCommentsNameNoMachine(t *testing.T) {
	fset, files := productFiles(t)
	for _, f := range files {
		for _, c := range f.syntax.Comments {
			for _, bad := range []string{"/" + "work/", "/" + "root/", "../" + "shared"} {
				if strings.Contains(c.Text(), bad) {
					t.Errorf("%s: the comment names %s", fset.Position(c.Pos()), bad)
				}
			}
		}
	}
}
