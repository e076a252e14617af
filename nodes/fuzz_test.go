package nodes_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// Whatever parameters come, Check and NewCall agree: what Check refuses does
// not run, and what it accepts runs or fails with the name of a parameter.
func FuzzCheck(f *testing.F) {
	for _, tt := range checkCases() {
		if text, err := value.Marshal(tt.raw()); err == nil {
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := value.ParseJSON(text)
		raw, ok := v.(map[string]any)
		if _, nameless := raw[""]; err != nil || !ok || nameless {
			return
		}
		problems := nodes.Check(sample(), raw)
		refused := false
		for _, p := range problems {
			refused = refused || p.Severity == nodes.Error
		}
		if !reflect.DeepEqual(problems, nodes.Check(sample(), raw)) {
			t.Error("two checks differ")
		}
		call, err := nodes.NewCall(sample(), raw, nodes.Host{View: value.Map{"doc": "x", "n": int64(3), "mode": "split"}})
		var pe *nodes.ParamError
		switch {
		case err != nil && (!errors.As(err, &pe) || pe.Param == ""):
			t.Errorf("an error without a parameter: %v", err)
		case err == nil && refused:
			t.Errorf("Check refuses with %v, and yet it runs", problems)
		case err == nil:
			// Every typed accessor can be used on what was accepted.
			call.Strings("words")
			call.Object("labels")
			call.Object("options")
			call.Secret("api_key")
			call.Int("size")
			call.Float("ratio")
			call.Bool("deep")
			call.String("title")
		}
		nodes.Reads(sample(), raw)
		nodes.PublishedKeys(sample(), raw, "s")
	})
}
