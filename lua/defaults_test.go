package lua

import (
	"reflect"
	"testing"
)

func TestDefaults(t *testing.T) {
	f := good(t, `
local flow = Flow.new("x")
flow:step("before", nodes.embed{ source_key = "t" })
flow:defaults{ provider = "ollama", ollama_host = "http://first:1", openai_api_key = "k" }
flow:defaults("embed", { batch_size = 8, ollama_host = "http://embed:1" })
flow:defaults{ ollama_host = "http://second:1" }
flow:step("own", nodes.embed{ source_key = "t", provider = "openai", batch_size = 3 })
flow:step("log", nodes.log{ message = "x" })
local shared = nodes.embed{ source_key = "t", ollama_host = "http://own:1" }
flow:step("s1", shared)
flow:step("s2", shared)
return flow`)
	want := map[string]map[string]any{
		"before": {"source_key": "t", "provider": "ollama", "ollama_host": "http://embed:1", "batch_size": int64(8)},
		"own":    {"source_key": "t", "provider": "openai", "openai_api_key": "k", "batch_size": int64(3)},
		"log":    {"message": "x"},
		"s1":     {"source_key": "t", "provider": "ollama", "ollama_host": "http://own:1", "batch_size": int64(8)},
		"s2":     {"source_key": "t", "provider": "ollama", "ollama_host": "http://own:1", "batch_size": int64(8)},
	}
	for name, params := range want {
		if got := step(t, f, name).Params; !reflect.DeepEqual(got, params) {
			t.Errorf("%s: got %v, want %v", name, got, params)
		}
	}
}

func TestDefaultsMistakes(t *testing.T) {
	for body, want := range map[string]string{
		"flow:defaults{ batch_size = 3 }":                 `f.lua:2: flow:defaults: "batch_size" is not a provider setting`,
		"flow:defaults{ ollama_hots = 'x' }":              `"ollama_hots" is not a provider setting; did you mean "ollama_host"?`,
		"flow:defaults{ provider = 'olama' }":             `flow:defaults: provider: got "olama", want one of`,
		"flow:defaults{ ollama_host = 5 }":                `flow:defaults: ollama_host: got 5`,
		"flow:defaults{ ollama_host = '${ctx.h}' }":       `provider settings are literals`,
		"flow:defaults{ ollama_host = function() end }":   `flow:defaults: ollama_host: got a function`,
		"flow:defaults{ ollama_host = {1, a=2} }":         `flow:defaults: $.defaults.ollama_host: the table has both`,
		"flow:defaults('x')":                              `there is no node "x"`,
		"flow:defaults('embed')":                          `flow:defaults: got nil, want`,
		"flow:defaults(5)":                                `flow:defaults: got 5, want`,
		"flow:defaults('embd', {})":                       `there is no node "embd"; did you mean "embed"?`,
		"flow:defaults('embed', { batch = 1 })":           `embed has no parameter "batch"; did you mean "batch_size"?`,
		"flow:defaults('embed', { batch_size = 0 })":      `flow:defaults: batch_size: got 0, allowed: 1..2048`,
		"flow:defaults({ 'ollama' })":                     `the key 1 is no name`,
		"flow:defaults('embed', { batch_size = 1 }, 'x')": `got too many arguments`,
		"flow.defaults({ provider = 'ollama' })":          `call defaults with a colon`,
	} {
		f := mustLoad(t, "local flow = Flow.new('x')\n"+body+"\nflow:step('a', nodes.log{message='x'})\nreturn flow")
		if len(f.Problems) != 1 || !contains(f.Problems[0].String(), want) || f.Problems[0].Line != 2 {
			t.Errorf("%s: got\n%swant %s", body, listing(f.Problems), want)
		}
	}
}
