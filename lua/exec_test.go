//go:build unix

package lua

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func TestDefineProgram(t *testing.T) {
	f, err := load(t, NewHost(Options{}), `
nodes.define("acme.ocr", {
  summary = "Reads",
  params = { lang = { type = "string", default = "en" }, source_key = { type = "string", source = true, required = true } },
  outputs = { [""] = "string", _pages = "integer" },
  exec = { "./ocr.sh", "one argument" }, timeout = 20, env = { MARK = "m" },
})
local flow = Flow.new("x")
flow:step("a", nodes.acme.ocr{ source_key = "img", lang = "de" })
return flow`, map[string]string{"ocr.sh": "#!/bin/sh\nin=$(cat)\ncase \"$in\" in *'\"lang\":\"de\"'*) ;; *) exit 3 ;; esac\ncase \"$in\" in *'\"input\":\"pixels\"'*) ;; *) exit 4 ;; esac\n" +
		"[ \"$1\" = 'one argument' ] || exit 5\nprintf '{\"\": \"%s text\", \"_pages\": 2}' \"$MARK\"\n"})
	if err != nil || len(f.Problems) > 0 {
		t.Fatal(err, listing(f.Problems))
	}
	script := filepath.Join(f.Dir, "ocr.sh")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	a := step(t, f, "a")
	invoke := func(grants *nodes.ExecGrants) (map[string]any, error) {
		return nodes.Invoke(context.Background(), a.Node, a.Params, nodes.Host{
			View: value.Map{"img": "pixels"}, Step: "a", Attempt: 1,
			Env: &nodes.Env{FlowDir: f.Dir, Exec: grants},
		})
	}
	out, err := invoke(&nodes.ExecGrants{Programs: []string{script}})
	if err != nil || !value.Equal(out, map[string]any{"ocr": "m text", "ocr_pages": int64(2), "ocr_success": true}) {
		t.Errorf("got %v, %v", out, err)
	}
	if _, err := invoke(nil); err == nil || !contains(err.Error(), "--allow-exec") {
		t.Errorf("without a grant: %v", err)
	}
	a.Params = map[string]any{"source_key": "img", "lang": "fr"}
	_, err = invoke(&nodes.ExecGrants{All: true})
	var failure *nodes.Failure
	if !errors.As(err, &failure) || failure.Published["ocr_exit_code"] != int64(3) {
		t.Errorf("a failing program: %v", err)
	}
}

func TestDefineProgramMistakes(t *testing.T) {
	for body, want := range map[string]string{
		"exec={}":                        "exec names no program",
		"exec='ls'":                      `exec: got "ls", want a list of strings`,
		"exec={1}":                       `exec: element 1 is 1`,
		"exec={'ls'}, timeout=0":         `timeout: got 0, want seconds above 0`,
		"exec={'ls'}, timeout='x'":       `timeout: got "x", want seconds above 0`,
		"exec={'ls'}, env={1}":           `env[1]: got 1`,
		"exec={'ls'}, env={['A=B']='x'}": `is no name of a variable`,
	} {
		f := mustLoad(t, "local flow = Flow.new('x')\nnodes.define('acme.x', {"+body+"})\nflow:step('a', nodes.acme.x{})\nreturn flow")
		if len(f.Problems) != 1 || !contains(f.Problems[0].String(), want) {
			t.Errorf("%s: got\n%swant %s", body, listing(f.Problems), want)
		}
	}
}
