package web

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

func TestSpec(t *testing.T) {
	spec := httpRequest().Spec
	nodetest.CheckSpec(t, &spec)
}

// seen is what a server got.
type seen struct {
	method, uri, body string
	header            http.Header
}

func serve(t *testing.T, h http.HandlerFunc) (string, *[]seen) {
	t.Helper()
	var got []seen
	var mu sync.Mutex // a request that was given up may still be served beside the next
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		got = append(got, seen{r.Method, r.RequestURI, string(body), r.Header})
		mu.Unlock()
		if h != nil {
			h(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, &got
}

func TestRequest(t *testing.T) {
	in := map[string]any{"q": "a b&c=ü", "id": 7, "path": "x y/é", "list": []any{"p", 2, true}, "obj": map[string]any{"k": nil}, "host": ""}
	tests := []struct {
		name   string
		params map[string]any
		want   seen
		header map[string]string
	}{
		{"get", nil, seen{method: "GET", uri: "/v1"}, map[string]string{"User-Agent": "ironflow", "Content-Type": ""}},
		{"url with data", map[string]any{"url": "URL/docs/${ctx.id}?x=${ctx.q}#frag"}, seen{method: "GET", uri: "/docs/7?x=a%20b&c=%C3%BC"}, nil},
		{"path with data", map[string]any{"url": "URL/${ctx.path}"}, seen{method: "GET", uri: "/x%20y/%C3%A9"}, nil},
		{"query", map[string]any{"url": "URL/s?a=1", "query": map[string]any{"q": "${ctx.q}", "n": "${ctx.id}", "list": "${ctx.list}", "none": "${ctx.missing}", "text": "id=${ctx.id}", "f": 1.5}},
			seen{method: "GET", uri: "/s?a=1&f=1.5&list=p&list=2&list=true&n=7&q=a+b%26c%3D%C3%BC&text=id%3D7"}, nil},
		{"query that is empty", map[string]any{"query": map[string]any{"q": nil}}, seen{method: "GET", uri: "/v1"}, nil},
		{"json", map[string]any{"method": "POST", "json": map[string]any{"q": "${ctx.q}", "n": "${ctx.id}", "o": "${ctx.obj}", "h": "<>"}},
			seen{method: "POST", uri: "/v1", body: `{"h":"<>","n":7,"o":{"k":null},"q":"a b&c=ü"}`}, map[string]string{"Content-Type": "application/json"}},
		{"json that is one placeholder", map[string]any{"method": "PUT", "json": "${ctx.list}"}, seen{method: "PUT", uri: "/v1", body: `["p",2,true]`}, nil},
		{"json null", map[string]any{"method": "POST", "json": nil}, seen{method: "POST", uri: "/v1", body: `null`}, nil},
		{"body", map[string]any{"method": "PATCH", "body": "n=${ctx.id}", "headers": map[string]any{"content-type": "application/x-www-form-urlencoded", "X-N": "${ctx.id}"}},
			seen{method: "PATCH", uri: "/v1", body: "n=7"}, map[string]string{"Content-Type": "application/x-www-form-urlencoded", "X-N": "7"}},
		{"body as text", map[string]any{"method": "DELETE", "body": "x"}, seen{method: "DELETE", uri: "/v1", body: "x"}, map[string]string{"Content-Type": "text/plain; charset=utf-8"}},
		{"bearer", map[string]any{"auth": map[string]any{"bearer": "tok-123456789"}}, seen{method: "GET", uri: "/v1"}, map[string]string{"Authorization": "Bearer tok-123456789"}},
		{"basic", map[string]any{"auth": map[string]any{"basic": map[string]any{"user": "ada", "password": "p:w"}}}, seen{method: "GET", uri: "/v1"},
			map[string]string{"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("ada:p:w"))}},
		{"header", map[string]any{"auth": map[string]any{"header": "X-Key", "value": "v-123456789"}}, seen{method: "GET", uri: "/v1"}, map[string]string{"X-Key": "v-123456789"}},
		{"secret header", map[string]any{"headers": map[string]any{"Authorization": "Token abc"}}, seen{method: "GET", uri: "/v1"}, map[string]string{"Authorization": "Token abc"}},
		{"credential and path data", map[string]any{"url": "URL/${ctx.id}", "auth": map[string]any{"bearer": "tok-123456789"}}, seen{method: "GET", uri: "/7"}, nil},
		{"credential and query data", map[string]any{"url": "URL?q=${ctx.id}", "auth": map[string]any{"bearer": "tok-123456789"}}, seen{method: "GET", uri: "/?q=7"}, nil},
		{"whole address from data", map[string]any{"url": "${ctx.host}/z"}, seen{method: "GET", uri: "/z"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url, got := serve(t, nil)
			params := map[string]any{"url": "URL/v1"}
			for k, v := range tt.params {
				params[k] = v
			}
			params["url"] = strings.Replace(params["url"].(string), "URL", url, 1)
			in["host"] = url
			out, err := nodetest.Run(t, httpRequest(), params, in)
			if err != nil {
				t.Fatal(err)
			}
			if out["http_status"] != int64(200) || out["http_success"] != true {
				t.Errorf("got %v", out)
			}
			g := (*got)[0]
			if g.method != tt.want.method || g.uri != tt.want.uri || g.body != tt.want.body {
				t.Errorf("the server got %s %s %q, want %s %s %q", g.method, g.uri, g.body, tt.want.method, tt.want.uri, tt.want.body)
			}
			for k, want := range tt.header {
				if g.header.Get(k) != want {
					t.Errorf("header %s: %q, want %q", k, g.header.Get(k), want)
				}
			}
		})
	}
}

func TestResponse(t *testing.T) {
	latin := "caf\xe9"
	tests := []struct {
		name, kind, body string
		status           int
		want             any
	}{
		{"json", "application/json", `{"a":[1,2.5]}`, 200, map[string]any{"a": []any{int64(1), 2.5}}},
		{"json with charset", "application/json; charset=utf-8", `1`, 201, int64(1)},
		{"json suffix", "application/problem+json", `{"x":null}`, 200, map[string]any{"x": nil}},
		{"json without body", "application/json", "", 204, nil},
		{"text", "text/plain", "hällo", 200, "hällo"},
		{"html", "text/html; charset=iso-8859-1", latin, 200, "café"},
		{"utf-16", "text/plain; charset=utf-16le", "h\x00i\x00", 200, "hi"},
		{"unknown charset", "text/plain; charset=x-none", "plain", 200, "plain"},
		{"json that is text", "text/plain", `{"a":1}`, 200, `{"a":1}`},
		{"binary", "application/octet-stream", "\x00\xff", 200, "AP8="},
		{"latin without charset", "text/plain", latin, 200, base64.StdEncoding.EncodeToString([]byte(latin))},
		{"empty", "text/plain", "", 200, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				w.Header().Add("X-Two", "a")
				w.Header().Add("X-Two", "b")
				w.Header().Add("Set-Cookie", "c=1, x")
				w.Header().Add("Set-Cookie", "d=2")
				w.Header().Set("X-Latin", "\xe9")
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			})
			out, err := nodetest.Run(t, httpRequest(), map[string]any{"url": url, "output_key": "r"}, nil)
			if err != nil || !value.Equal(out["r_data"], tt.want) || out["r_status"] != int64(tt.status) {
				t.Errorf("got %v, %v, want %v", out, err, tt.want)
			}
			h := out["r_headers"].(map[string]any)
			if h["x-two"] != "a, b" || h["set-cookie"] != "c=1, x\nd=2" || h["x-latin"] != "é" || h["content-type"] != tt.kind {
				t.Errorf("headers %v", h)
			}
		})
	}
}

func TestStatusAndBrokenJSON(t *testing.T) {
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/404":
			w.WriteHeader(404)
			_, _ = io.WriteString(w, `{"error":"no marker-body"}`)
		case "/500":
			w.WriteHeader(500)
			_, _ = io.WriteString(w, `<html>marker-body`)
		case "/304":
			w.WriteHeader(304)
		default:
			_, _ = io.WriteString(w, `{"a":`)
		}
	})
	for _, tt := range []struct {
		path, err string
		out       map[string]any
	}{
		{"/404?key=hunter22", "http_request: GET " + url + " answered HTTP 404; a recovery step finds the answer in _error_output, and fail_on_status=false publishes it",
			map[string]any{"http_status": int64(404), "http_data": map[string]any{"error": "no marker-body"}, "http_success": false}},
		{"/500", "http_request: GET " + url + " answered HTTP 500; a recovery step finds the answer in _error_output, and fail_on_status=false publishes it",
			map[string]any{"http_status": int64(500), "http_data": "<html>marker-body", "http_success": false}},
		{"/304", "http_request: GET " + url + " answered HTTP 304; a recovery step finds the answer in _error_output, and fail_on_status=false publishes it",
			map[string]any{"http_status": int64(304), "http_data": "", "http_success": false}},
		{"/200", "http_request: GET " + url + ": the answer says that it is JSON, but it is not: invalid JSON at line 1, column 6 (byte offset 5): expected a value, but the text ends",
			map[string]any{"http_status": int64(200), "http_data": `{"a":`, "http_success": false}},
	} {
		out, err := nodetest.Run(t, httpRequest(), map[string]any{"url": url + tt.path}, nil)
		var f *nodes.Failure
		if !errors.As(err, &f) || out != nil {
			t.Errorf("%s: got %v, %v", tt.path, out, err)
			continue
		}
		if err.Error() != tt.err {
			t.Errorf("got  %v\nwant %s", err, tt.err)
		}
		delete(f.Published, "http_headers")
		if !value.Equal(f.Published, tt.out) {
			t.Errorf("%s: failed with %v, want %v", tt.path, f.Published, tt.out)
		}
		if tt.path == "/200" {
			continue
		}
		out, err = nodetest.Run(t, httpRequest(), map[string]any{"url": url + tt.path, "fail_on_status": false}, nil)
		delete(out, "http_headers")
		if err != nil || !value.Equal(out, tt.out) {
			t.Errorf("%s, not failing: got %v, %v", tt.path, out, err)
		}
	}
}

func TestRequestErrors(t *testing.T) {
	url, got := serve(t, nil)
	host := strings.TrimPrefix(url, "http://")
	const key = "sk-live-0123456789"
	auth := map[string]any{"bearer": key}
	literal := "http_request: url: carries a credential, so its scheme, host and port must be written in full, without placeholders: https://host[:port]/..."
	forms := "http_request: auth: want one of {bearer=...}, {basic={user=..., password=...}} and {header=..., value=...}"
	tests := []struct {
		name   string
		params map[string]any
		want   string
	}{
		{"no url", map[string]any{"url": nil}, `http_request: url: got null, want a string`},
		{"scheme", map[string]any{"url": "ftp://h/x"}, `http_request: url: request not allowed: only http and https addresses are allowed`},
		{"no scheme", map[string]any{"url": host}, `http_request: url: cannot be parsed: write http(s)://host[:port][/path][?query], and put data into query`},
		{"control", map[string]any{"url": url + "/${ctx.nl}"}, `http_request: url: cannot be parsed: write http(s)://host[:port][/path][?query], and put data into query`},
		{"userinfo", map[string]any{"url": "http://ada:" + key + "@" + host}, `http_request: url: request not allowed: an address must not contain user information: set the credential in its own parameter`},
		{"method", map[string]any{"method": "get"}, `http_request: method: got "get", want one of "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD" or "OPTIONS"; did you mean "GET"?`},
		{"body without method", map[string]any{"body": "x"}, `http_request: method: must be given with a body: method="POST", "PUT", "PATCH" or "DELETE"`},
		{"json without method", map[string]any{"json": "x"}, `http_request: method: must be given with a body: method="POST", "PUT", "PATCH" or "DELETE"`},
		{"json and body", map[string]any{"method": "POST", "json": "x", "body": "x"}, `http_request: body: cannot be combined with json; give only one of json, body`},
		{"query object", map[string]any{"query": map[string]any{"a": map[string]any{}}}, `http_request: query: "a" holds an object, want a string, number, boolean, or an array of these`},
		{"query nested", map[string]any{"query": map[string]any{"a": []any{[]any{}}}}, `http_request: query: "a" holds an array of 0, want a string, number, boolean, or an array of these`},
		{"header value", map[string]any{"headers": map[string]any{"X-A": []any{}}}, `http_request: headers: member "X-A": got an array of 0, want a string or a number or a boolean`},
		{"header missing", map[string]any{"headers": map[string]any{"X-A": "${ctx.missing}"}}, `http_request: headers: member "X-A": got null, want a string or a number or a boolean`},
		{"header line break", map[string]any{"headers": map[string]any{"X-A": "a${ctx.nl}X-B: c"}}, `http_request: headers: request not allowed: header X-A has a value with a line break or another control character`},
		{"header name", map[string]any{"headers": map[string]any{"X A": "a"}}, "http_request: headers: request not allowed: a header name must be a token of letters, digits and !#$%&'*+-.^_`|~"},
		{"header host", map[string]any{"headers": map[string]any{"host": "a"}}, `http_request: headers: request not allowed: header Host is set by the transport and may not be set by a caller`},
		{"header twice", map[string]any{"headers": map[string]any{"X-A": "a", "x-a": "b"}}, `http_request: headers: "X-A" and "x-a" are the same header; give it once`},
		{"headers as text", map[string]any{"headers": "Authorization: " + key}, `http_request: headers: got a string, want an object`},
		{"auth as text", map[string]any{"auth": key}, `http_request: auth: got a string, want an object`},
		{"auth unknown", map[string]any{"auth": map[string]any{"token": key}}, `http_request: auth: unknown member "token"; allowed: basic, bearer, header, value`},
		{"auth empty", map[string]any{"auth": map[string]any{}}, `http_request: auth: is empty: want one of {bearer=...}, {basic={user=..., password=...}} and {header=..., value=...}`},
		{"auth two", map[string]any{"auth": map[string]any{"bearer": key, "header": "X-A", "value": key}}, forms},
		{"auth half", map[string]any{"auth": map[string]any{"header": "X-A"}}, forms},
		{"auth basic half", map[string]any{"auth": map[string]any{"basic": map[string]any{"user": "a"}}}, `http_request: auth: member "basic": member "password" is missing: password`},
		{"auth colon", map[string]any{"auth": map[string]any{"basic": map[string]any{"user": "a:b", "password": key}}}, `http_request: auth: basic: a user name cannot contain a colon`},
		{"auth number", map[string]any{"auth": map[string]any{"bearer": int64(5)}}, `http_request: auth: member "bearer": got a number, want a string`},
		{"auth line break", map[string]any{"auth": map[string]any{"bearer": key + "\r\nX: y"}}, `http_request: auth: request not allowed: header Authorization has a credential with a line break, a space at its end, or a character outside printable ASCII: set it without`},
		{"auth empty bearer", map[string]any{"auth": map[string]any{"bearer": ""}}, `http_request: auth: request not allowed: header Authorization needs a credential, and none is set`},
		{"auth twice", map[string]any{"auth": auth, "headers": map[string]any{"authorization": key}}, `http_request: auth: the header Authorization is given in headers as well; give it once`},
		{"auth forbidden header", map[string]any{"auth": map[string]any{"header": "Proxy-Authorization", "value": key}}, `http_request: auth: request not allowed: header Proxy-Authorization is set by the transport and may not be set by a caller`},
		{"auth and host from data", map[string]any{"url": "http://${ctx.host}/x", "auth": auth}, literal},
		{"auth and whole url from data", map[string]any{"url": "${ctx.url}/x", "auth": auth}, literal},
		{"auth and part of the host", map[string]any{"url": "http://127.0.0.${ctx.one}/x", "auth": auth}, literal},
		{"auth and the end of the host", map[string]any{"url": url + "${ctx.nothing}", "auth": auth}, literal},
		{"auth and scheme", map[string]any{"url": "http${ctx.nothing}://" + host, "auth": auth}, literal},
		{"secret header and host", map[string]any{"url": "http://${ctx.host}/x", "headers": map[string]any{"X-Api-Key": key}}, literal},
		{"timeout", map[string]any{"timeout": 0}, `http_request: timeout: got 0, allowed: above 0, at most 3600 (s)`},
		{"elsewhere", map[string]any{"url": "http://198.51.100.1/?key=" + key}, `http_request: GET: the configured proxy cannot be used for http://198.51.100.1:80: check HTTP_PROXY, HTTPS_PROXY and NO_PROXY`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			params := map[string]any{"url": url}
			for k, v := range tt.params {
				params[k] = v
			}
			b := nodetest.New(t)
			out, err := b.Run(httpRequest(), params, map[string]any{"nl": "\r\n", "host": host, "url": url, "one": "1", "nothing": ""})
			if err == nil || err.Error() != tt.want || out != nil {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if text := fmt.Sprintf("%v %+v %s", err, err, b.Log); strings.Contains(text, key) {
				t.Errorf("the key is shown: %s", text)
			}
		})
	}
	if len(*got) != 0 {
		t.Errorf("%d requests were sent", len(*got))
	}
}

func TestRedactorLearns(t *testing.T) {
	url, _ := serve(t, nil)
	b := nodetest.New(t)
	for _, params := range []map[string]any{
		{"auth": map[string]any{"bearer": "bearer-0123456"}},
		{"auth": map[string]any{"basic": map[string]any{"user": "ada", "password": "basic-0123456"}}},
		{"headers": map[string]any{"X-Api-Key": "header-0123456", "Accept": "application/json"}},
		{"headers": map[string]any{"Authorization": "Token scheme-0123456"}},
	} {
		params["url"] = url
		if _, err := b.Run(httpRequest(), params, nil); err != nil {
			t.Fatal(err)
		}
	}
	basic := base64.StdEncoding.EncodeToString([]byte("ada:basic-0123456"))
	in := "bearer-0123456|basic-0123456|" + basic + "|header-0123456|scheme-0123456|application/json"
	if got := b.Env.Redactor.Redact(in); got != "***|***|***|***|***|application/json" {
		t.Errorf("got %q", got)
	}
}

func TestTimeoutAndCancel(t *testing.T) {
	transporttest.Baseline(t)
	release := make(chan struct{})
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = io.WriteString(w, "begin")
			w.(http.Flusher).Flush()
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(release) })
	for _, path := range []string{"/head", "/body"} {
		b := nodetest.New(t)
		start := time.Now()
		_, err := b.Run(httpRequest(), map[string]any{"url": url + path, "timeout": 0.05}, nil)
		if err == nil || err.Error() != "http_request: GET "+url+": no complete answer within 0.05 s; raise timeout" || time.Since(start) > 3*time.Second {
			t.Errorf("%s: got %v after %v", path, err, time.Since(start))
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		time.AfterFunc(30*time.Millisecond, func() { cancel(why) })
		if _, err := b.RunContext(ctx, httpRequest(), map[string]any{"url": url + path}, nil); !errors.Is(err, why) {
			t.Errorf("%s: cancelled: got %v", path, err)
		}
		b.Env.HTTP.CloseIdleConnections()
	}
}

func TestTransportRulesHold(t *testing.T) {
	other, hits := serve(t, nil)
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other+"/?t=marker-target", http.StatusTemporaryRedirect)
		case "/near":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/big":
			_, _ = w.Write(make([]byte, 2000))
		case "/end":
			_, _ = io.WriteString(w, "end")
		}
	})
	b := nodetest.New(t)
	client, err := transport.New(transport.Policy{MaxBodyBytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	b.Env.HTTP = client
	_, err = b.Run(httpRequest(), map[string]any{"url": url + "/away", "auth": map[string]any{"bearer": "tok-0123456789"}}, nil)
	if !errors.Is(err, transport.KindRedirect) || strings.Contains(err.Error(), "marker") || len(*hits) != 0 {
		t.Errorf("redirect: %v, %d requests", err, len(*hits))
	}
	if out, err := b.Run(httpRequest(), map[string]any{"url": url + "/near"}, nil); err != nil || out["http_data"] != "end" {
		t.Errorf("same origin: %v, %v", out, err)
	}
	_, err = b.Run(httpRequest(), map[string]any{"url": url + "/big"}, nil)
	if !errors.Is(err, transport.KindBodyTooLarge) {
		t.Errorf("body: %v", err)
	}
	b.Env.HTTP = nil
	if _, err := b.Run(httpRequest(), map[string]any{"url": url}, nil); err == nil || err.Error() != "http_request: url: there is no network here" {
		t.Error(err)
	}
}

// Whatever data is filled in behind a literal origin, the request goes there.
func FuzzLiteralOrigin(f *testing.F) {
	for _, s := range []string{"/x", "@evil.example/", "\\@evil.example", "#", "?", "//evil.example", ":80", ".evil.example", "/../..", "%2f", "\t", "a b"} {
		f.Add("http://127.0.0.1:8080/${ctx.x}", s)
		f.Add("http://127.0.0.1:8080${ctx.x}", s)
		f.Add("http://127.0.0.1:8080?q=${ctx.x}", s)
		f.Add("http://${ctx.x}127.0.0.1:8080/", s)
	}
	f.Fuzz(func(t *testing.T, raw, data string) {
		spec := httpRequest().Spec
		call, err := nodes.NewCall(&spec, map[string]any{"url": raw}, nodes.Host{View: value.Map{"x": data}})
		if err != nil {
			return
		}
		u, origin, err := address(call)
		if err != nil || !call.Templated("url") || !literalOrigin(call, origin) {
			return
		}
		// The same address with other data has the same origin.
		again, err := nodes.NewCall(&spec, map[string]any{"url": raw}, nodes.Host{View: value.Map{"x": "zzz"}})
		if err != nil {
			t.Fatal(err)
		}
		u2, origin2, err := address(again)
		if err != nil || origin != origin2 {
			t.Errorf("%q with %q goes to %s (%s), with other data to %s (%v): %v", raw, data, origin, u, origin2, u2, err)
		}
		if strings.ContainsAny(u.RequestURI(), " \r\n\t") {
			t.Errorf("%q with %q gives the request line %q", raw, data, u.RequestURI())
		}
	})
}
