package ai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// answerSchema is a JSON Schema that answers must fit. Servers were seen to
// accept one and to follow a part of it or nothing.
type answerSchema struct {
	text     json.RawMessage // with sorted keys: equal schemas have equal texts
	compiled *jsonschema.Schema
	names    map[string]bool // the names of members that the schema itself has
}

// newAnswerSchema compiles a schema, by default of draft 2020-12. References
// reach no further than the schema itself and the drafts' own meta-schemas.
func newAnswerSchema(schema map[string]any) (*answerSchema, error) {
	text, err := value.Marshal(schema)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	const place = "response_schema"
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource(place, doc); err != nil {
		return nil, err
	}
	s := &answerSchema{text: text, names: map[string]bool{}}
	if s.compiled, err = c.Compile(place); err != nil {
		return nil, schemaError(err)
	}
	s.collect(doc)
	return s, nil
}

// noLoader refuses every schema that lies elsewhere: neither files nor the
// network are read for one.
type noLoader struct{}

func (noLoader) Load(string) (any, error) {
	return nil, errors.New("schemas elsewhere are not loaded: write the schema out, with $defs for its parts")
}

// schemaError says what is wrong with the schema itself, which is the flow
// author's text.
func schemaError(err error) error {
	var invalid *jsonschema.SchemaValidationError
	var at *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &at) {
		leaf := deepest(at)
		return fmt.Errorf("is no valid JSON Schema: %s breaks its rules (%s)", pointer(leaf.InstanceLocation), strings.Join(leaf.ErrorKind.KeywordPath(), "."))
	}
	return fmt.Errorf("is no valid JSON Schema: %w", err)
}

func pointer(location []string) string {
	if len(location) == 0 {
		return "it"
	}
	return strconv.Quote(strings.Join(location, "."))
}

// collect notes every name in the schema.
func (s *answerSchema) collect(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			s.names[name] = true
			s.collect(member)
		}
	case []any:
		for _, member := range v {
			s.collect(member)
		}
	}
}

// check returns an error when the answer does not fit. Its text holds names and
// numbers of the schema and positions, but nothing that the model wrote.
func (s *answerSchema) check(answer any) error {
	err := s.compiled.Validate(answer)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	leaf := deepest(invalid)
	return fmt.Errorf("the answer does not fit response_schema: %s %s", s.place(leaf.InstanceLocation), fault(leaf.ErrorKind))
}

// deepest follows the causes to the place where they lead deepest into the
// answer; the first of equals.
func deepest(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	best := e
	if len(e.Causes) > 0 {
		best = deepest(e.Causes[0])
		for _, c := range e.Causes[1:] {
			if d := deepest(c); len(d.InstanceLocation) > len(best.InstanceLocation) {
				best = d
			}
		}
	}
	return best
}

// place writes a position as `$.facts[2].text`. A name that the schema does not
// have is the model's, and is left out.
func (s *answerSchema) place(location []string) string {
	var b strings.Builder
	b.WriteByte('$')
	for _, step := range location {
		if _, err := strconv.Atoi(step); err == nil {
			b.WriteString("[" + step + "]")
		} else if s.names[step] {
			b.WriteString("." + step)
		} else {
			b.WriteString(".*")
		}
	}
	return b.String()
}

// fault says which rule is broken.
func fault(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("is of the type %s, want %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Required:
		return "lacks " + nodes.QuoteList(k.Missing, "and")
	case *kind.AdditionalProperties:
		return fmt.Sprintf("has members that the schema does not allow (%d)", len(k.Properties))
	case *kind.MinItems:
		return fmt.Sprintf("has %d elements, want at least %d", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has %d elements, want at most %d", k.Got, k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("has %d characters, want at least %d", k.Got, k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("has %d characters, want at most %d", k.Got, k.Want)
	case *kind.Enum:
		return "is none of the values of enum"
	case *kind.Const:
		return "is not the value of const"
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return "breaks the rule " + strconv.Quote(path[0])
	}
	return "is not allowed"
}
