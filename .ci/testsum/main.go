// Command testsum reads the JSON of `go test -json` on standard input and
// prints one line for each package, the whole output of what failed, and at
// the end, to the file named by its argument, "PASSED FAILED".
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

func main() {
	passed, failed := 0, 0
	broken := map[string]bool{}
	output := map[[2]string]*strings.Builder{}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Println(in.Text()) // not of go test: an error of the go command
			continue
		}
		if e.ImportPath != "" {
			e.Package = e.ImportPath
		}
		key := [2]string{e.Package, e.Test}
		switch strings.TrimPrefix(e.Action, "build-") {
		case "output":
			if output[key] == nil {
				output[key] = &strings.Builder{}
			}
			output[key].WriteString(e.Output)
		case "pass":
			if e.Test != "" {
				passed++
			} else {
				fmt.Printf("ok    %-60s %6.1fs\n", e.Package, e.Elapsed)
			}
			delete(output, key)
		case "fail":
			// A package fails because a test of it did; alone it counts only
			// when it could not be built or run.
			if e.Test != "" {
				broken[e.Package] = true
			}
			if e.Test != "" || !broken[e.Package] {
				failed++
			}
			if e.Test != "" || output[key] != nil {
				fmt.Printf("FAIL  %s %s\n", e.Package, e.Test)
			}
			if b := output[key]; b != nil {
				fmt.Println(tail(b.String(), 20000))
			}
			delete(output, key)
		case "skip":
			delete(output, key)
		}
	}
	if err := os.WriteFile(os.Args[1], []byte(fmt.Sprintf("%d %d\n", passed, failed)), 0o600); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// tail keeps the end of a long text.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return "...\n" + s[len(s)-n:]
}
