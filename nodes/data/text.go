package data

import (
	"context"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func outputKey(def string) nodes.Param {
	return nodes.Param{Name: "output_key", Type: nodes.String, Default: def, Role: nodes.OutputKey, Help: "start of the published keys"}
}

func sourceKey(help string) nodes.Param {
	return nodes.Param{Name: "source_key", Type: nodes.String, Required: true, Role: nodes.Source, Help: help}
}

func templateRender() nodes.Node {
	return nodes.Node{Run: runTemplateRender, Spec: nodes.Spec{
		Name:    "template_render",
		Summary: "Fill placeholders in a text, to build a prompt or a message",
		Doc: "A placeholder `${ctx.path}` becomes the value at that path: a string as it is, every other value as compact " +
			"JSON, a missing value or null as nothing. Text that was filled in is not looked at again. Write `\\${ctx.a}` to keep " +
			"a placeholder as text (in a Lua string: `\"\\\\${ctx.a}\"`).",
		Params: []nodes.Param{
			{Name: "template", Type: nodes.String, Required: true, Interpolate: true, Help: "the text with placeholders"},
			outputKey("rendered"),
		},
		Outputs: []nodes.OutputSpec{{Type: nodes.String, Help: "the text with its placeholders filled in"}},
		Examples: []nodes.Example{{
			Title:   "A prompt with a list",
			Lua:     `nodes.template_render{ template = "Answer for ${ctx.user.name}: ${ctx.points}", output_key = "prompt" }`,
			Context: `{"user": {"name": "Ada"}, "points": ["one", "two"]}`,
		}},
	}}
}

func runTemplateRender(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	return nodes.Output{"": call.String("template")}, nil
}

func jsonParse() nodes.Node {
	return nodes.Node{Run: runJSONParse, Spec: nodes.Spec{
		Name:    "json_parse",
		Summary: "Read a JSON text into a value",
		Doc: "The text holds exactly one JSON value; anything behind it is an error that names line and column. Whole numbers within 64 bits stay exact. " +
			"Of an object's equal keys the last one counts.",
		Params: []nodes.Param{
			sourceKey("context value with the JSON text"),
			outputKey("json"),
		},
		Outputs: []nodes.OutputSpec{{Type: nodes.Any, Help: "the value"}},
		Examples: []nodes.Example{{
			Title:   "Read the answer of a model",
			Lua:     `nodes.json_parse{ source_key = "answer", output_key = "facts" }`,
			Context: `{"answer": "{\"title\": \"Tides\", \"pages\": 3}"}`,
		}},
	}}
}

func runJSONParse(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	text, err := call.SourceString("source_key")
	if err != nil {
		return nil, err
	}
	v, err := value.ParseJSON(text)
	if err != nil {
		return nil, call.Errorf("source_key", "%q: %w", call.String("source_key"), err)
	}
	return nodes.Output{"": v}, nil
}

func jsonStringify() nodes.Node {
	return nodes.Node{Run: runJSONStringify, Spec: nodes.Spec{
		Name:    "json_stringify",
		Summary: "Write a value as JSON text",
		Doc:     "Object keys are sorted, and no character is escaped that JSON does not require to be, so equal values give equal texts.",
		Params: []nodes.Param{
			sourceKey("context value to write"),
			outputKey("json_text"),
			{Name: "indent", Type: nodes.Boolean, Default: false, Help: "put each member on a line of its own, two spaces deeper for each level"},
		},
		Outputs: []nodes.OutputSpec{{Type: nodes.String, Help: "the JSON text"}},
		Examples: []nodes.Example{{
			Title:   "Show a value to a model",
			Lua:     `nodes.json_stringify{ source_key = "facts", output_key = "facts_json", indent = true }`,
			Context: `{"facts": {"title": "Tides", "pages": 3}}`,
		}},
	}}
}

func runJSONStringify(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	v, err := call.Source("source_key")
	if err != nil {
		return nil, err
	}
	var text []byte
	if call.Bool("indent") {
		text, err = value.MarshalIndent(v, "  ")
	} else {
		text, err = value.Marshal(v)
	}
	if err != nil {
		return nil, call.Errorf("source_key", "%q cannot be written as JSON: %w", call.String("source_key"), err)
	}
	return nodes.Output{"": string(text)}, nil
}
