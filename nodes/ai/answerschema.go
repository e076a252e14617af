package ai

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// answerSchema is a JSON Schema that answers must fit. Servers were seen to
// accept one and to follow a part of it or nothing.
type answerSchema struct {
	text     json.RawMessage // with sorted keys: equal schemas have equal texts
	resolved *jsonschema.Resolved
}

// newAnswerSchema reads a schema of draft 2020-12 or, with $schema, of draft
// 07. References reach no further than the schema itself: without a loader the
// library reads neither files nor the network.
func newAnswerSchema(schema map[string]any) (*answerSchema, error) {
	text, err := value.Marshal(schema)
	if err != nil {
		return nil, err
	}
	drafts := []string{"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema#"}
	if draft, given := schema["$schema"].(string); given && !slices.Contains(drafts, draft) {
		return nil, fmt.Errorf("is of the draft %q, allowed are %s", draft, nodes.QuoteList(drafts, "and"))
	}
	if err := checkTypes(schema, true, "response_schema"); err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("is no valid JSON Schema: a %s cannot stand at %q", wrong.Value, strings.TrimPrefix(wrong.Field, "."))
		}
		return nil, fmt.Errorf("is no valid JSON Schema: %w", err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("is no valid JSON Schema: %w (a schema elsewhere is not loaded: write it out, under $defs)", err)
	}
	return &answerSchema{text, resolved}, nil
}

// checkTypes finds type names that do not exist, which the library takes for
// types that no value has. v is a schema, or with isSchema false a map or a
// list of schemas.
func checkTypes(v any, isSchema bool, place string) error {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if isSchema && key == "type" {
				if err := checkType(member, place); err != nil {
					return err
				}
				continue
			}
			if isSchema && slices.Contains([]string{"enum", "const", "default", "examples"}, key) {
				continue // values, not schemas
			}
			named := slices.Contains([]string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}, key)
			if err := checkTypes(member, !isSchema || !named, place+"."+key); err != nil {
				return err
			}
		}
	case []any:
		for i, member := range v {
			if err := checkTypes(member, true, fmt.Sprintf("%s[%d]", place, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkType(v any, place string) error {
	types := []string{"array", "boolean", "integer", "null", "number", "object", "string"}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, v := range list {
		if s, ok := v.(string); !ok || !slices.Contains(types, s) {
			return fmt.Errorf("is no valid JSON Schema: %s.type is %s, allowed are %s", place, nodes.Describe(v), nodes.QuoteList(types, "and"))
		}
	}
	return nil
}

// check returns an error when the answer does not fit. Its text holds names of
// the schema, but nothing that the model wrote.
func (s *answerSchema) check(answer any) error {
	err := s.resolved.Validate(answer)
	if err == nil {
		return nil
	}
	// Each error of the library says which part of the schema was looked at and
	// wraps the next; the last one begins with the rule, and goes on with values
	// of the answer.
	place, inner := "", errors.Unwrap(err)
	for ; inner != nil; err, inner = inner, errors.Unwrap(inner) {
		outer, _ := strings.CutSuffix(err.Error(), ": "+inner.Error())
		if at, ok := strings.CutPrefix(outer, "validating "); ok && at != "root" {
			place = " at " + at
		}
	}
	return fmt.Errorf("the answer does not fit response_schema%s: %s", place, brokenRule(err.Error()))
}

// brokenRule reads the rule from the last error of the library. What it quotes
// of the answer comes first, what it quotes of the schema last.
func brokenRule(text string) string {
	if strings.HasPrefix(text, "unexpected additional properties") {
		return "a member is there that additionalProperties does not allow"
	}
	rule, rest, _ := strings.Cut(text, ":")
	switch {
	case rule == "required":
		if _, names, ok := strings.Cut(rest, "missing properties: "); ok {
			return "a required member is missing: " + names
		}
	case rule == "type":
		if i := strings.LastIndex(rest, `has type "`); i >= 0 {
			return "a value " + rest[i:]
		}
	case !slices.Contains(rules(), rule):
		return "a rule is broken"
	}
	return "the rule " + rule + " is broken"
}

// rules are the keywords by whose names the library may begin an error.
func rules() []string {
	return []string{
		"type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
		"pattern", "anyOf", "oneOf", "not", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
		"minProperties", "maxProperties", "required",
	}
}
