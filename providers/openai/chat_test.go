package openai

import "testing"

func TestStrict(t *testing.T) {
	for schema, want := range map[string]bool{
		`{}`:                true,
		`{"type":"string"}`: true,
		`{"type":"object"}`: false,
		`{"type":"object","additionalProperties":false}`:                                                     true,
		`{"properties":{"a":{}},"required":["a"]}`:                                                           false,
		`{"properties":{"a":{}},"required":["a"],"additionalProperties":false}`:                              true,
		`{"properties":{"a":{},"b":{}},"required":["a"],"additionalProperties":false}`:                       false,
		`{"properties":{"a":{"type":"object"}},"required":["a"],"additionalProperties":false}`:               false,
		`{"type":"array","items":{"type":"object","properties":{}}}`:                                         false,
		`{"type":"array","items":{"type":"object","additionalProperties":false}}`:                            true,
		`{"$defs":{"a":{"type":"object"}},"type":"string"}`:                                                  false,
		`{"anyOf":[{"type":"string"},{"type":"object","additionalProperties":true}]}`:                        false,
		`{"enum":[{"type":"object"}],"const":{"type":"object"}}`:                                             true,
		`{"properties":{"properties":{}},"required":["properties"],"additionalProperties":false}`:            true,
		`{"properties":{"type":{"const":1}},"required":["type"],"additionalProperties":false}`:               true,
		`{"properties":{"required":{"type":"object"}},"required":["required"],"additionalProperties":false}`: false,
		`[`: false,
	} {
		if got := strict([]byte(schema)); got != want {
			t.Errorf("%s: %v, want %v", schema, got, want)
		}
	}
}
