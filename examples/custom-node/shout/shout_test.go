package shout

import (
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
)

func TestShout(t *testing.T) {
	node := shoutNode()
	nodetest.CheckSpec(t, &node.Spec)
	out, err := nodetest.Run(t, node, map[string]any{"source_key": "words", "marks": 2}, map[string]any{"words": []any{"tea", "süß"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := out["shout_count"]; got != int64(2) {
		t.Errorf("shout_count = %v", got)
	}
	if got := out["shout_characters"]; got != int64(10) {
		t.Errorf("shout_characters = %v, want 10", got)
	}
}

func TestShoutErrors(t *testing.T) {
	for _, tt := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{}, "source_key: is required"},
		{map[string]any{"source_key": "words", "marks": 4}, "marks: got 4, allowed: 0..3"},
		{map[string]any{"source_key": "words", "mark": 1}, `did you mean "marks"`},
		{map[string]any{"source_key": "word"}, `did you mean "words"`},
	} {
		_, err := nodetest.Run(t, shoutNode(), tt.params, map[string]any{"words": []any{"tea"}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want one with %q", tt.params, err, tt.want)
		}
	}
}

func TestRegister(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := Register(reg); err != nil {
		t.Fatal(err)
	}
	if err := Register(reg); err == nil {
		t.Error("registering twice is no error")
	}
}
