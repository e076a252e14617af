package main

import (
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ironflow/ironflow/cmd/ironflow/app"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ironflow": func() { app.New().Main() },
	})
}

// TestScripts runs the command line scripts. Each gets an environment of its
// own, so that no key of the developer's leaks in.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join(root, "testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, "REPO="+root)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode":      exitCode,
			"startprovider": startProvider,
			"requests":      countRequests,
			"onlyfiles":     onlyFiles,
			"occurs":        occurs,
			"unbase64":      unbase64,
		},
		RequireUniqueNames: true,
		UpdateScripts:      os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// exitCode runs a command and wants exactly this exit code:
//
//	exitcode 3 ironflow run broken.lua
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// onlyFiles wants exactly these files in the working directory and below:
// that a failed command left nothing behind.
func onlyFiles(ts *testscript.TestScript, neg bool, args []string) {
	var got []string
	dir := ts.MkAbs(".")
	ts.Check(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			got = append(got, filepath.ToSlash(rel))
		}
		return err
	}))
	got = slices.DeleteFunc(got, func(f string) bool { return strings.HasPrefix(f, ".tmp/") })
	slices.Sort(got)
	slices.Sort(args)
	if slices.Equal(got, args) == neg {
		ts.Fatalf("files: %q, want %q", got, args)
	}
}

// occurs wants a text exactly N times in stdout or stderr: occurs N stderr TEXT
func occurs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: occurs N stdout|stderr text")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[1]), args[2]); got != want {
		ts.Fatalf("%q occurs %d times in %s, want %d", args[2], got, args[1], want)
	}
}

// unbase64 decodes a file of a script, for bytes that a script cannot hold:
// unbase64 FROM TO
func unbase64(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unbase64 from to")
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}
