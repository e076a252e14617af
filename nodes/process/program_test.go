//go:build unix

package process

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
)

func declared() nodes.Spec {
	return nodes.Spec{
		Name: "acme.ocr", Summary: "Reads a page",
		Params: []nodes.Param{
			{Name: "page_key", Type: nodes.String, Role: nodes.Source, Required: true, Help: "the page"},
			{Name: "lang", Type: nodes.String, Default: "en", Help: "the language"},
			{Name: "token", Type: nodes.String, Secret: true, Help: "a key"},
			{Name: "keys", Type: nodes.Object, Secret: true, Help: "more keys"},
			{Name: "output_key", Type: nodes.String, Default: "ocr", Role: nodes.OutputKey, Help: "start of the published keys"},
		},
		Outputs: []nodes.OutputSpec{{Type: nodes.Array, Help: "the lines"}, {Suffix: "_pages", Type: nodes.Integer, Help: "how many pages"}},
	}
}

func TestProgram(t *testing.T) {
	const key = "tok-0123456789"
	params := map[string]any{"page_key": "page", "token": key, "keys": map[string]any{"a": "k-0123456789"}}
	in := map[string]any{"page": map[string]any{"n": 1}}
	shell, err := Resolve("sh", "", testPath)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, script string
		want         map[string]any
		err          string
	}{
		{"outputs", `echo '{"": ["a", "b"], "_pages": 2}'`, map[string]any{"ocr": []any{"a", "b"}, "ocr_count": int64(2), "ocr_pages": int64(2), "ocr_success": true}, ""},
		{"own success", `echo '{"_success": false}'`, map[string]any{"ocr_success": false}, ""},
		{"gets everything", `printf '{"": [%s]}' "$(cat)"`, map[string]any{"ocr": []any{map[string]any{"input": map[string]any{"n": int64(1)}, "step": "step", "attempt": int64(1),
			"params": map[string]any{"page_key": "page", "lang": "en", "output_key": "ocr", "token": key, "keys": map[string]any{"a": "k-0123456789"}}}}, "ocr_count": int64(1), "ocr_success": true}, ""},
		{"no object", `echo '[1]'`, nil, `acme.ocr: program "sh" printed an array of 1, want a JSON object with the declared outputs by suffix`},
		{"undeclared", `echo '{"_lang": "en"}'`, nil, `acme.ocr: program "sh" printed the member "_lang", which is not declared; allowed: "", "_pages", "_success" and "_count"`},
		{"failure key", `echo '{"_exit_code": 1}'`, nil, `acme.ocr: program "sh" printed the member "_exit_code", which is not declared; allowed: "", "_pages", "_success" and "_count"`},
		{"wrong type", `echo '{"_pages": "two"}'`, nil, `acme.ocr: internal error of the node: its output "_pages" is "two", but its Spec declares an integer`},
		{"failure", `echo "bad ` + key + `" >&2; exit 2`, nil, fmt.Sprintf(`acme.ocr: program %q ended with exit code 2: bad ***`, shell)},
		{"timeout", `sleep 100`, nil, fmt.Sprintf(`acme.ocr: program %q did not end within 0.3 s and was stopped; raise timeout`, shell)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			node, err := Program{Cmd: []string{"sh", "-c", tt.script}, TimeoutSeconds: 0.3}.Node(declared())
			if err != nil {
				t.Fatal(err)
			}
			if err := nodes.NewRegistry().Register(node); err != nil {
				t.Fatal(err)
			}
			b := bench(t)
			got, err := b.Run(node, params, in)
			if tt.err != "" {
				// What reaches a record or a screen goes through the redactor.
				if err == nil || b.Env.Redactor.Redact(err.Error()) != tt.err {
					t.Errorf("got  %v\nwant %s", err, tt.err)
				}
			} else if err != nil || !value.Equal(got, tt.want) {
				t.Errorf("got  %v, %v\nwant %v", got, err, tt.want)
			}
			if strings.Contains(b.Log.String(), key) {
				t.Errorf("the log shows the key: %s", b.Log)
			}
			var f *nodes.Failure
			if tt.name == "failure" && (!errors.As(err, &f) || f.Published["ocr_exit_code"] != int64(2) || f.Published["ocr_success"] != false) {
				t.Errorf("failed with %+v", f)
			}
		})
	}
}

func TestProgramWithoutOutputKey(t *testing.T) {
	spec := nodes.Spec{Name: "acme.note", Summary: "Notes", Outputs: []nodes.OutputSpec{{Name: "note", Type: nodes.String, Help: "the note"}}}
	node, err := Program{Cmd: []string{"sh", "-c", `echo '{"note": "n"}'; exit $CODE`}, Env: map[string]string{"CODE": "0"}}.Node(spec)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := bench(t).Run(node, nil, nil); err != nil || !value.Equal(got, map[string]any{"note": "n"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if len(spec.Outputs) != 1 {
		t.Error("the given Spec was changed")
	}
	node, err = Program{Cmd: []string{"sh", "-c", `exit $CODE`}, Env: map[string]string{"CODE": "4"}}.Node(spec)
	if err != nil {
		t.Fatal(err)
	}
	_, err = bench(t).Run(node, nil, nil)
	var f *nodes.Failure
	if !errors.As(err, &f) || !value.Equal(f.Published, map[string]any{"_exit_code_step": int64(4), "_stderr_step": ""}) {
		t.Errorf("got %v, %+v", err, f)
	}
}

func TestProgramMistakes(t *testing.T) {
	for _, tt := range []struct {
		p    Program
		want string
	}{
		{Program{}, `node "acme.ocr": exec names no program; write exec = {"program", "argument"}`},
		{Program{Cmd: []string{""}}, `node "acme.ocr": exec names no program; write exec = {"program", "argument"}`},
		{Program{Cmd: []string{"x"}, TimeoutSeconds: -1}, `node "acme.ocr": timeout and output limit of a program must be positive`},
		{Program{Cmd: []string{"x"}, Env: map[string]string{"": "x"}}, `node "acme.ocr": env: "" is no name of a variable`},
	} {
		if _, err := tt.p.Node(declared()); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	node, err := Program{Cmd: []string{"cat"}}.Node(declared())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bench(t).Run(node, map[string]any{"page_key": "x", "lnag": "de"}, nil); err == nil || err.Error() != `acme.ocr: lnag: unknown parameter; did you mean "lang"?` {
		t.Errorf("got %v", err)
	}
	b := nodetest.New(t)
	b.Vars["PATH"] = testPath
	if _, err := b.Run(node, map[string]any{"page_key": "x"}, map[string]any{"x": 1}); err == nil || !strings.Contains(err.Error(), "may not be started; grant it with --allow-exec cat") {
		t.Errorf("got %v", err)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("sh", "/tmp", "/bin:/usr/bin")
	f.Add("./x", "/tmp", "")
	f.Add("../../bin/sh", "/tmp/a", ":.:bin")
	f.Fuzz(func(t *testing.T, program, dir, path string) {
		got, err := Resolve(program, dir, path)
		if (err == nil) != strings.HasPrefix(got, "/") {
			t.Errorf("Resolve(%q, %q, %q) = %q, %v", program, dir, path, got, err)
		}
	})
}
