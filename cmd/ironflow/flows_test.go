package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
)

// flowRun is one run of a file of testdata/flows. The rows are listed in
// docs/design/scenarios.md under the same names.
type flowRun struct {
	name    string // row of the table; its first word is the file
	context string // initial context, JSON
	env     []string
	code    int
	steps   string            // name=status of every step, in plan order
	want    string            // JSON object: keys of the final context
	match   map[string]string // keys of the final context that fit a pattern
	absent  []string          // keys that must not be in the final context
	log     []string          // texts of standard error
}

var flowRuns = []flowRun{
	{name: "base64_globals", steps: "encode=success report=success",
		want: `{"encoded": "SGVsbG8sIElyb25GbG93IQ==", "roundtrip_ok": true}`,
		log:  []string{"base64: SGVsbG8sIElyb25GbG93IQ==, back again: true"}},
	{name: "context_passing", context: `{"first": "John", "last": "Doe"}`, steps: "join=success greet=success say=success",
		want: `{"full_name": "John Doe", "greeting": "Hello, John Doe!", "log_message": "Hello, John Doe!"}`},
	{name: "environment_variables unset", steps: "connect=success list=success say=success",
		want: `{"connection_info": "Connecting to sqlite://example.db", "region": "NOT SET", "stage": "NOT SET"}`},
	{name: "environment_variables set", env: []string{"DATABASE_URL=postgres://db/shop", "SHOP_STAGE=test"}, steps: "connect=success list=success say=success",
		want: `{"connection_info": "Connecting to postgres://db/shop", "region": "NOT SET", "stage": "test"}`},
	{name: "environment_variables denied", env: []string{"DATABASE_URL=postgres://db/shop", "IRONFLOW_ENV_ALLOWLIST="}, steps: "connect=success list=success say=success",
		want: `{"connection_info": "Connecting to sqlite://example.db"}`},
	{name: "hello_world", context: `{"name": "Alice"}`, steps: "greet=success say=success",
		want: `{"greeting": "Welcome, Alice! The kettle is on."}`, log: []string{"Welcome, Alice! The kettle is on."}},
	{name: "lua_globals", steps: "globals=success",
		want: `{"serialized": "{\"name\":\"Alice\",\"roles\":[\"admin\",\"editor\"]}", "parsed_score": 42, "tags_text": "[]"}`,
		match: map[string]string{
			"request_id": `^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$`,
			"created_at": `^"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00"$`,
			"created_ms": `^[0-9]{13}$`,
		}},
	{name: "parallel_execution", steps: "a=success b=success join=success", want: `{"log_message": "A complete; B complete"}`},
	{name: "foreach_function", steps: "order=success lines=success say=success",
		want: `{"line_items_count": 3, "line_items_success": true, "line_items": [
			{"position": 1, "name": "TEAPOT", "total": 31.5}, {"position": 2, "name": "CUP", "total": 42}, {"position": 3, "name": "TRAY", "total": 21}]}`,
		log: []string{"3 lines, the first costs 31.5"}},
	{name: "conditional_routing over", context: `{"amount": 250}`, steps: "check=success review=success approve=skipped",
		want: `{"log_message": "an order of $250 needs a second look"}`,
		log:  []string{`step skipped`, `route \"approve\" was not taken: step \"check\" published route \"review\"`}},
	{name: "conditional_routing under", context: `{"amount": 100}`, steps: "check=success review=skipped approve=success",
		want: `{"log_message": "an order of $100 goes through"}`},
	{name: "conditional_routing text", context: `{"amount": "250"}`, steps: "check=success review=success approve=skipped", want: `{}`},
	{name: "step_if both", context: `{"name": "Alice", "tier": "vip", "points": 120}`,
		steps: "_if_greet=success greet=success done=success _if_bonus=success bonus=success",
		want:  `{"greeting": "Welcome back, VIP Alice!", "log_message": "Welcome back, VIP Alice! A bonus is waiting."}`},
	{name: "step_if neither", context: `{"name": "Bo", "tier": "plain", "points": 5}`,
		steps: "_if_greet=success greet=skipped done=success _if_bonus=success bonus=skipped",
		want:  `{"log_message": "the visit of Bo is noted"}`, absent: []string{"greeting"}},
	{name: "switch_routing case", context: `{"kind": "refund"}`, steps: "kind=success money=success desk=skipped inbox=skipped",
		want: `{"log_message": "a refund for the cashier"}`},
	{name: "switch_routing default", context: `{"kind": "praise"}`, steps: "kind=success money=skipped desk=skipped inbox=success",
		want: `{"log_message": "something for the inbox"}`},
	{name: "switch_routing missing", steps: "kind=success money=skipped desk=skipped inbox=success", want: `{}`},
	{name: "function_handler", steps: "load=success count=success say=success",
		want: `{"admin_count": 2, "admins": ["Ada", "Cy"], "log_message": "2 admins: [\"Ada\",\"Cy\"]"}`},
	{name: "on_error", steps: "prepare=success load=failed stand_in=success say=success",
		want:   `{"error_handled": true, "failed_step": "load", "failed_node": "read_file", "log_message": "load failed, and the run goes on"}`,
		match:  map[string]string{"why": `no-such-file\.txt.*no such file`},
		absent: []string{"note_content", "note_success"}},
	{name: "auth_check without", steps: "read=success say=success", want: `{"action": "unknown", "has_token": false}`},
	{name: "auth_check with", context: `{"request": {"token": "t", "body": {"action": "open"}}}`, steps: "read=success say=success", want: `{"action": "open", "has_token": true}`},
	{name: "simple_webhook without", steps: "greet=success say=success", want: `{"greeting": "Hello, stranger!"}`},
	{name: "simple_webhook with", context: `{"name": "Ada"}`, steps: "greet=success say=success", want: `{"greeting": "Hello, Ada!"}`},
	{name: "scheduled_hello", steps: "say=success", want: `{"log_message": "hello from schedule ''"}`},
	{name: "quick", steps: "say=success", want: `{"log_message": "quick and done"}`},
	{name: "greet without", steps: "greet=success", want: `{"greeting": "Hello, World!"}`, absent: []string{"_draft"}},
	{name: "greet with", context: `{"name": "Ada"}`, steps: "greet=success", want: `{"greeting": "Hello, Ada!"}`},
	{name: "basic_subworkflow", steps: "who=success greet=success say=success",
		want: `{"sub": {"greeting": "Hello, IronFlow!", "name": "IronFlow"}, "sub_success": true, "log_message": "the other flow says: Hello, IronFlow!"}`},
	{name: "merged_subworkflow", steps: "greet=success say=success", want: `{"greeting": "Hello, IronFlow!", "said": "Hello, IronFlow!", "draft_seen": false}`},
	{name: "detached_subworkflow", code: 3, log: []string{`detached_subworkflow.lua:5: step "greet": subworkflow: wait: unknown parameter`}},
	{name: "tool_time", context: `{"place": "Porto"}`, steps: "answer=success", want: `{"tool_result_name": "time"}`},
	{name: "tool_weather", context: `{"place": "Porto"}`, steps: "answer=success", want: `{"tool_result_name": "weather"}`},
	{name: "tool_unknown", steps: "answer=success", want: `{"tool_result_name": "fallback"}`},
	{name: "tool_choice known", context: `{"tool": "weather", "place": "Porto"}`, steps: "pick=success time=skipped weather=success unknown=skipped report=success",
		want: `{"log_message": "weather: fog over Porto"}`},
	{name: "tool_choice unknown", context: `{"tool": "stocks"}`, steps: "pick=success time=skipped weather=skipped unknown=success report=success",
		want: `{"log_message": "fallback: no tool of this name"}`},
}

// TestFlows runs the flows of testdata/flows through the command and compares
// what they publish, which steps they skip and what they log.
func TestFlows(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "flows"))
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, r := range flowRuns {
		file, _, _ := strings.Cut(r.name, " ")
		used[file+".lua"] = true
		t.Run(r.name, func(t *testing.T) { r.check(t, filepath.Join(dir, file+".lua")) })
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !used[e.Name()] {
			t.Errorf("no test runs %s", e.Name())
		}
	}
}

func (r flowRun) check(t *testing.T, file string) {
	t.Helper()
	args := []string{"run", "--json", file}
	if r.context != "" {
		args = append(args, "-c", r.context)
	}
	cmd := exec.Command("ironflow", args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir}, r.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	code := 0
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatal(err)
		}
		code = exit.ExitCode()
	}
	if code != r.code {
		t.Fatalf("exit code %d, want %d\n%s", code, r.code, &stderr)
	}
	for _, want := range r.log {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, &stderr)
		}
	}
	if code == 3 {
		if stdout.Len() > 0 {
			t.Errorf("a refused flow printed %s", &stdout)
		}
		return
	}
	var record struct {
		Status string
		Steps  []struct{ Name, Status string }
		// Raw, so that 42 and 42.0 stay different.
		Context map[string]json.RawMessage
	}
	if err := json.Unmarshal(stdout.Bytes(), &record); err != nil {
		t.Fatalf("%v in %s", err, &stdout)
	}
	var steps []string
	for _, s := range record.Steps {
		steps = append(steps, s.Name+"="+s.Status)
	}
	if got := strings.Join(steps, " "); got != r.steps || record.Status != "success" {
		t.Errorf("run %s, steps\n%s\nwant\n%s", record.Status, got, r.steps)
	}
	r.checkContext(t, record.Context)
}

func (r flowRun) checkContext(t *testing.T, got map[string]json.RawMessage) {
	t.Helper()
	wanted, err := value.ParseJSON([]byte(r.want))
	if err != nil {
		t.Fatal(err)
	}
	for key, w := range wanted.(map[string]any) {
		text, err := value.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		if string(got[key]) != string(text) {
			t.Errorf("%s is %s, want %s", key, got[key], text)
		}
	}
	for key, pattern := range r.match {
		if !regexp.MustCompile(pattern).Match(got[key]) {
			t.Errorf("%s is %s, want a match of %s", key, got[key], pattern)
		}
	}
	for key := range got {
		if strings.HasPrefix(key, "_") || slices.Contains(r.absent, key) {
			t.Errorf("%s is in the final context", key)
		}
	}
}
