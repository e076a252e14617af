package ai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// agenticServer answers questions of ai_chunk_agentic in the formats of OpenAI and
// Ollama: sentences as they are, themes by first word. It keeps what it was asked.
type agenticServer struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []map[string]any
	// reply, when not nil, replaces the text of an answer and its reason to end.
	reply func(body map[string]any, text string) (string, string)
	// status, when not nil, replaces an answer by an error.
	status func(body map[string]any) int
}

var labelLine = regexp.MustCompile(`(?m)^\[([A-Z]+[0-9]+)\] (.*)$`)

func newAgenticServer(t *testing.T) *agenticServer {
	t.Helper()
	s := &agenticServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(r.URL.Path, "token") {
			fmt.Fprint(w, `{"access_token":"token-0123456789","token_type":"bearer","expires_in":3600}`)
			return
		}
		var body map[string]any
		_ = json.Unmarshal(raw, &body)
		s.mu.Lock()
		s.bodies = append(s.bodies, body)
		s.mu.Unlock()
		if s.status != nil {
			if code := s.status(body); code != 0 {
				w.WriteHeader(code)
				fmt.Fprint(w, `{"error":{"message":"response_format is not supported","param":"response_format","type":"invalid_request_error"}}`)
				return
			}
		}
		text, reason := honestAnswer(lastMessage(body)), "stop"
		if s.reply != nil {
			text, reason = s.reply(body, text)
		}
		quoted, _ := json.Marshal(text)
		if strings.HasPrefix(r.URL.Path, "/api/") {
			fmt.Fprintf(w, `{"model":"m","message":{"role":"assistant","content":%s},"done":true,"done_reason":%q,"prompt_eval_count":11,"eval_count":3}`, quoted, reason)
			return
		}
		fmt.Fprintf(w, `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":%q}],"usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}}`, quoted, reason)
	}))
	t.Cleanup(s.Close)
	return s
}

func lastMessage(body map[string]any) string {
	list, _ := body["messages"].([]any)
	m, _ := list[len(list)-1].(map[string]any)
	text, _ := m["content"].(string)
	return text
}

// sourceFence is what stands behind the mark of the text, or of what is grouped.
func sourceFence(user string) string {
	user = user[max(0, strings.LastIndex(user, "<<<TEXT-"), strings.LastIndex(user, "<<<DATA-")):]
	mark, body, _ := strings.Cut(user, "\n")
	body, _, _ = strings.Cut(body, "\n"+strings.TrimPrefix(mark, "<<<")+">>>")
	return body
}

func honestAnswer(user string) string {
	var items, groups []string
	ids := map[string][]string{}
	var order []string
	for _, m := range labelLine.FindAllStringSubmatch(sourceFence(user), -1) {
		text, _ := json.Marshal(m[2])
		items = append(items, fmt.Sprintf(`{"text":%s,"sentences":[%q]}`, text, m[1]))
		word, _, _ := strings.Cut(m[2], " ")
		if ids[word] == nil {
			order = append(order, word)
		}
		ids[word] = append(ids[word], fmt.Sprintf("%q", m[1]))
	}
	for _, word := range order {
		groups = append(groups, fmt.Sprintf(`{"label":"On %s","ids":[%s]}`, word, strings.Join(ids[word], ",")))
	}
	if strings.Contains(user, "<<<DATA-") {
		return `{"groups":[` + strings.Join(groups, ",") + `]}`
	}
	return `{"propositions":[` + strings.Join(items, ",") + `]}`
}

// asked returns the requests so far and forgets them.
func (s *agenticServer) asked() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.bodies
	s.bodies = nil
	return out
}

func (s *agenticServer) run(t *testing.T, provider string, params map[string]any, source any) (map[string]any, error) {
	t.Helper()
	b := bench(t, s.URL)
	b.Vars["OPENAI_API_KEY"] = "sk-test-0123456789"
	b.Vars["OLLAMA_HOST"] = s.URL
	b.Vars["OAUTH_TOKEN_URL"], b.Vars["OAUTH_BASE_URL"] = s.URL+"/token", s.URL+"/v1"
	b.Vars["OAUTH_CLIENT_ID"], b.Vars["OAUTH_CLIENT_SECRET"] = "id", "secret-0123456789"
	all := map[string]any{"source_key": "doc", "provider": provider}
	if provider == "oauth" {
		all["model"] = "m"
	}
	for k, v := range params {
		all[k] = v
	}
	return b.Run(agenticNode(vendors.Vendors()), all, map[string]any{"doc": source})
}

const twoThemes = "Kvalsund has a barrage of eight turbines. Bees keep the nest at 35 degrees. Kvalsund supplies 21,000 homes. Bees form a cluster in winter."

func TestAgentic(t *testing.T) {
	for _, provider := range []string{"openai", "ollama", "oauth"} {
		t.Run(provider, func(t *testing.T) {
			s := newAgenticServer(t)
			out, err := s.run(t, provider, map[string]any{"document_id": "notes", "tokenizer": "o200k_base"}, []any{
				map[string]any{"chunk_id": "a", "text": twoThemes[:75]}, map[string]any{"text": twoThemes[76:]},
			})
			if err != nil {
				t.Fatal(err)
			}
			requests := s.asked()
			if len(requests) != 2 {
				t.Fatalf("%d requests, want one extraction and one grouping", len(requests))
			}
			for _, r := range requests {
				options, ollama := r["options"].(map[string]any)
				if ollama {
					r = options
				}
				if temperature, sent := r["temperature"]; !sent || temperature != 0.0 {
					t.Errorf("temperature %v, sent: %v", temperature, sent)
				}
			}
			chunks := plain(t, out["agentic"]).([]any)
			if len(chunks) != 2 || out["agentic_count"] != int64(2) && out["agentic_count"] != 2 {
				t.Fatalf("%v chunks", out["agentic_count"])
			}
			first := chunks[0].(map[string]any)
			for key, want := range map[string]any{
				"chunk_id": "notes-0001", "document_id": "notes", "thematic_category": "On Kvalsund",
				"merged_content": "Kvalsund has a barrage of eight turbines. Kvalsund supplies 21,000 homes.", "proposition_count": 2.0, "character_count": 73.0,
			} {
				if first[key] != want {
					t.Errorf("%s = %v, want %v", key, first[key], want)
				}
			}
			if len(first["hash"].(string)) != 64 || first["token_estimate"] == 19.0 {
				t.Errorf("hash %v, %v tokens", first["hash"], first["token_estimate"])
			}
			proposition := first["propositions"].([]any)[1].(map[string]any)
			source := proposition["sources"].([]any)[0].(map[string]any)
			if source["chunk_id"] != "in-0002" || source["start"] != 0.0 || source["stop"] != 31.0 || proposition["verbatim"] != false || proposition["support"] != 1.0 {
				t.Errorf("proposition %v", proposition)
			}
			want(t, out, "agentic_success", "true")
			want(t, out, "agentic_proposition_count", "4")
			if texts := plain(t, out["agentic_texts"]).([]any); len(texts) != 2 || texts[0] != first["merged_content"] {
				t.Errorf("texts %v", texts)
			}
			report := plain(t, out["agentic_report"]).(map[string]any)
			if report["calls"] != 2.0 || report["batches"] != 1.0 || report["covered"] != 4.0 || report["tokens"].(map[string]any)["input"] != 22.0 {
				t.Errorf("report %v", report)
			}
		})
	}
}

// TestAgenticCache runs one document three times: the second time nothing is
// asked, after an edit only what is around it.
func TestAgenticCache(t *testing.T) {
	s := newAgenticServer(t)
	var inputs []any
	for i := range 12 {
		inputs = append(inputs, fmt.Sprintf("Gate %d at Holm is %d metres wide. Lamp %d is lit from %d to %d.", i, 10+i, i, 100+i, 200+i))
	}
	params := map[string]any{"cache_dir": filepath.Join(t.TempDir(), "kept"), "batch_max_bytes": 70}
	first, err := s.run(t, "openai", params, inputs)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.asked()); n != 13 {
		t.Fatalf("%d requests for 12 batches", n)
	}
	second, err := s.run(t, "openai", params, inputs)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.asked()); n != 0 {
		t.Errorf("the second run made %d requests", n)
	}
	for _, key := range []string{"agentic", "agentic_texts"} {
		a, _ := json.Marshal(plain(t, first[key]))
		b, _ := json.Marshal(plain(t, second[key]))
		if string(a) != string(b) {
			t.Errorf("%s differs in the second run", key)
		}
	}
	if r := plain(t, second["agentic_report"]).(map[string]any); r["calls"] != 0.0 || r["cache_hits"] != 13.0 {
		t.Errorf("report %v calls, %v hits", r["calls"], r["cache_hits"])
	}
	// A batch holds an input; eight sentences before it are its context, so an edit
	// is in the context of the four batches behind it, and no further.
	inputs[3] = "Gate 3 at Holm is 99 metres wide. Lamp 3 is lit from 103 to 203."
	if _, err := s.run(t, "openai", params, inputs); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.asked() {
		user := lastMessage(r)
		if !strings.Contains(user, "99 metres") {
			t.Errorf("asked again, although the edit is not in it:\n%s", user)
		}
	}
	// Files are the owner's alone; one that is damaged is replaced.
	err = filepath.Walk(params["cache_dir"].(string), func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if mode := info.Mode().Perm(); info.IsDir() && mode != 0o700 || !info.IsDir() && mode != 0o600 {
			t.Errorf("%s has mode %o", path, mode)
		}
		if !info.IsDir() {
			return os.WriteFile(path, []byte("damaged"), 0o600)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.run(t, "openai", params, inputs); err != nil {
		t.Fatal(err)
	}
	if n := len(s.asked()); n != 13 {
		t.Errorf("%d requests after the cache was damaged", n)
	}
	if _, err := s.run(t, "openai", params, inputs); err != nil || len(s.asked()) != 0 {
		t.Errorf("damaged entries were not replaced: %v", err)
	}
}

func TestAgenticFormatRefused(t *testing.T) {
	s := newAgenticServer(t)
	s.status = func(body map[string]any) int {
		if body["response_format"] != nil {
			return http.StatusBadRequest
		}
		return 0
	}
	out, err := s.run(t, "openai", nil, twoThemes)
	if err != nil {
		t.Fatal(err)
	}
	if r := plain(t, out["agentic_report"]).(map[string]any); r["format_dropped"] != true || r["calls"] != 2.0 || !strings.Contains(fmt.Sprint(r["notes"]), "response format") {
		t.Errorf("report %v", r)
	}
	s.asked()
	if _, err := s.run(t, "openai", map[string]any{"response_format": "json_schema"}, twoThemes); err == nil || !strings.Contains(err.Error(), "response_format") {
		t.Errorf("insisting on a schema: %v", err)
	}
	if _, err := s.run(t, "openai", map[string]any{"response_format": "none"}, twoThemes); err != nil {
		t.Errorf("asking for no format: %v", err)
	}
}

// TestAgenticLocal is the provider that has no model.
func TestAgenticLocal(t *testing.T) {
	s := newAgenticServer(t)
	out, err := s.run(t, "local", nil, twoThemes+" It is late.")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.asked()) != 0 {
		t.Error("a request was made")
	}
	r := plain(t, out["agentic_report"]).(map[string]any)
	if r["calls"] != 0.0 || r["covered"] != 5.0 || r["verbatim"] != 5.0 || !strings.Contains(fmt.Sprint(r["notes"]), "no model") {
		t.Errorf("report %v", r)
	}
	for _, c := range plain(t, out["agentic"]).([]any) {
		c := c.(map[string]any)
		if c["thematic_category"] == "" || !strings.HasPrefix(c["chunk_id"].(string), "doc-") {
			t.Errorf("chunk %v", c)
		}
	}
}

// TestAgenticProgress: every call is told of, in order, and the last one ends it.
func TestAgenticProgress(t *testing.T) {
	s := newAgenticServer(t)
	b := bench(t, s.URL)
	b.Vars["OPENAI_API_KEY"] = "sk-test-0123456789"
	params := map[string]any{"source_key": "doc", "provider": "openai", "batch_max_bytes": 40}
	if _, err := b.Run(agenticNode(vendors.Vendors()), params, map[string]any{"doc": twoThemes}); err != nil {
		t.Fatal(err)
	}
	reports := b.Reports()
	if len(reports) != len(s.asked()) {
		t.Fatalf("%d reports", len(reports))
	}
	for i, r := range reports {
		if r.Done != i+1 || r.Total != len(reports) || r.Unit != "call" {
			t.Errorf("report %d is %+v", i, r)
		}
	}
}

func TestAgenticReportOnly(t *testing.T) {
	s := newAgenticServer(t)
	s.reply = func(_ map[string]any, text string) (string, string) {
		return strings.Replace(text, "21,000", "34,000", 1), "stop"
	}
	strict, err := s.run(t, "openai", nil, twoThemes)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(plain(t, strict["agentic_texts"])); strings.Contains(text, "34,000") || !strings.Contains(text, "21,000") {
		t.Errorf("strict: %s", text)
	}
	loose, err := s.run(t, "openai", map[string]any{"verify": "report"}, twoThemes)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(plain(t, loose["agentic"])); !strings.Contains(text, "34,000") || !strings.Contains(text, "reasons") {
		t.Errorf("report: %s", text)
	}
	if r := plain(t, loose["agentic_report"]).(map[string]any)["dropped"].(map[string]any); r["ungrounded"] != 1.0 {
		t.Errorf("report %v", r)
	}
}

func TestAgenticErrors(t *testing.T) {
	s := newAgenticServer(t)
	for name, c := range map[string]struct {
		params map[string]any
		source any
		want   string
	}{
		"a number":              {nil, 7, "want a string, an array of strings, or an array of {chunk_id, text}"},
		"an array of numbers":   {nil, []any{"a", 7}, "element 2 is"},
		"no text":               {nil, []any{map[string]any{"chunk_id": "a"}}, `element 1 has no string in its member "text"`},
		"an id of another type": {nil, []any{map[string]any{"chunk_id": 7, "text": "x"}}, "the chunk_id of element 1 is"},
		"ids that repeat":       {nil, []any{map[string]any{"chunk_id": "a", "text": "x"}, map[string]any{"chunk_id": "a", "text": "y"}}, `its id "a" is also that of input 1`},
		"too many calls":        {map[string]any{"max_calls": 1}, twoThemes, "set max_calls=2"},
		"a language":            {map[string]any{"language": "fr"}, twoThemes, `"fr"`},
		"an empty id":           {map[string]any{"document_id": "${ctx.none}"}, twoThemes, "document_id"},
		"no provider":           {map[string]any{"provider": "nobody"}, twoThemes, "nobody"},
	} {
		out, err := s.run(t, "openai", c.params, c.source)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if len(out) != 0 {
			t.Errorf("%s: %v is published", name, out)
		}
	}
	if n := len(s.asked()); n != 0 {
		t.Errorf("%d requests", n)
	}
	s.status = func(map[string]any) int { return http.StatusInternalServerError }
	if out, err := s.run(t, "openai", map[string]any{"call_retries": 0}, twoThemes); err == nil || len(out) != 0 {
		t.Errorf("a provider that fails: %v, %v", out, err)
	}
	s.status = nil
	s.reply = func(map[string]any, string) (string, string) { return "I cannot.", "stop" }
	if out, err := s.run(t, "openai", map[string]any{"fallback": false}, twoThemes); err == nil || !strings.Contains(err.Error(), "batch 1 (sentences 1 to 4)") || len(out) != 0 {
		t.Errorf("nothing usable: %v, %v", out, err)
	}
	s.asked()
	for _, empty := range []any{"", " \n", []any{}, map[string]any{}, []any{"", " "}} {
		out, err := s.run(t, "openai", nil, empty)
		if err != nil || len(s.asked()) != 0 {
			t.Errorf("%q: %v", empty, err)
			continue
		}
		want(t, out, "agentic", "[]")
		want(t, out, "agentic_texts", "[]")
		want(t, out, "agentic_success", "true")
	}
}
