package providertest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

// rawServer answers every request with the bytes that answer returns, which
// need not be HTTP.
func rawServer(t *testing.T, answer func(path string) string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer func() { _ = c.Close() }()
				_ = c.SetDeadline(time.Now().Add(20 * time.Second))
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				_, _ = io.WriteString(c, answer(r.URL.Path))
			})
		}
	})
	return "http://" + l.Addr().String()
}

// testLeaks plants a marker in every place that a server controls and looks
// for it in errors, in every format, and in logs.
func testLeaks(t *testing.T, s Subject) {
	m := transporttest.NewMarker()
	leaks(t, s, m, leakAnswers(s, m), http200("application/json", s.Answer([]string{"[1]"})), embedAction(s))
}

// leaks runs an action against each of the answers, all of which fail.
func leaks(t *testing.T, s Subject, m string, answers map[string]string, good string, act action) {
	// Some answers make net/http itself write to the log; that is looked at too.
	logs := transporttest.CaptureLogs(t)
	run := func(t *testing.T, answer, tokenAnswer string) {
		base := rawServer(t, func(path string) string {
			if path == "/token" {
				return tokenAnswer
			}
			return answer
		})
		client, err := transport.New(transport.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		defer client.CloseIdleConnections()
		set, err := providers.NewSet(providers.SetOptions{Vendors: []providers.Vendor{s.Vendor()}, Client: client, Clock: NewClock()})
		if err != nil {
			t.Fatal(err)
		}
		err = act(t.Context(), set, s.Params(base+s.Base, base+"/token"))
		if err == nil {
			t.Fatal("no error")
		}
		transporttest.AssertNoLeak(t, m, err)
		transporttest.AssertNoMarker(t, m, "log", logs.String())
	}
	token := http200("application/json", `{"access_token":"`+sampleToken+`","token_type":"bearer"}`)
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) { run(t, answer, token) })
	}
	if !s.UsesToken {
		return
	}
	for name, answer := range tokenLeakAnswers(m, answers) {
		t.Run("token endpoint, "+name, func(t *testing.T) { run(t, good, answer) })
	}
}

func http200(contentType, body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", contentType, len(body), body)
}

// leakAnswers are raw answers that all fail and hold the marker somewhere.
func leakAnswers(s Subject, m string) map[string]string {
	answers := commonLeaks(m)
	answers["trailing"] = http200("application/json", s.Answer([]string{"[1]"})+m)
	answers["model"] = http200("application/json", strings.Replace(s.Answer(nil), "m-1", m, 1))
	for name, v := range map[string]string{"text vector": `"` + m + `"`, "text element": `[1,"` + m + `"]`, "object element": `[{"` + m + `":1}]`, "literal": "[" + m + "]"} {
		answers[name] = http200("application/json", s.Answer([]string{v}))
	}
	if s.Indexed {
		answers["index"] = http200("application/json", `{"data":[{"index":"`+m+`","embedding":[1]}]}`)
	}
	return answers
}

// commonLeaks are such answers for requests of any sort.
func commonLeaks(m string) map[string]string {
	status := func(line, headers, body string) string {
		return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n%s\r\n%s", line, len(body), headers, body)
	}
	return map[string]string{
		"status reason":          status("400 "+m, "", ""),
		"garbage status line":    m + " " + m + "\r\n\r\n",
		"status code":            "HTTP/1.1 " + m + " x\r\n\r\n",
		"error body":             status("500 X", "", m),
		"error message":          status("400 X", "", `{"error":{"message":"`+m+`","type":"`+m+`","code":"`+m+`","param":"`+m+`"}}`),
		"error text":             status("401 X", "", `{"error":"`+m+`"}`),
		"error key":              status("403 X", "", `{"`+m+`":"`+m+`"}`),
		"request id":             status("500 X", "X-Request-Id: "+m+"\r\n", ""),
		"every header":           status("429 X", strings.ReplaceAll("Retry-After: M\r\nWww-Authenticate: M\r\nSet-Cookie: M=M\r\nServer: M\r\nDate: M\r\nX-M: M\r\nRequest-Id: M\r\n", "M", m), ""),
		"content type":           status("200 OK", "Content-Type: "+m+"\r\n", m),
		"content encoding":       status("200 OK", "Content-Encoding: "+m+"\r\n", m),
		"transfer encoding":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + m + "\r\n\r\n",
		"content length":         "HTTP/1.1 200 OK\r\nContent-Length: " + m + "\r\n\r\n",
		"chunk":                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + m + "\r\n" + m,
		"header without a colon": "HTTP/1.1 200 OK\r\n" + m + "\r\n\r\n",
		"redirect away":          status("307 "+m, "Location: http://elsewhere.test/"+m+"?"+m+"\r\n", m),
		"redirect with userinfo": status("302 X", "Location: http://"+m+":"+m+"@127.0.0.1/"+m+"\r\n", m),
		"broken redirect":        status("301 X", "Location: http://[::1/"+m+"\r\n", m),
		"redirect without place": status("302 X", "", m),
		"html":                   http200("text/html", "<html>"+m+"</html>"),
		"error in 200":           http200("application/json", `{"error":{"message":"`+m+`","code":"`+m+`"}}`),
		"cut":                    "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"" + m,
		"unknown key":            http200("application/json", `{"`+m+`":["`+m+`"]}`),
	}
}

// tokenLeakAnswers are raw answers of a token endpoint. Those of the API serve
// too: none of them is a token.
func tokenLeakAnswers(m string, api map[string]string) map[string]string {
	all := map[string]string{
		"refused":         "HTTP/1.1 401 " + m + "\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + `{"error":"` + m + `","error_description":"` + m + `","error_uri":"` + m + `"}`,
		"refused in 200":  http200("application/json", `{"error":"`+m+`","error_description":"`+m+`"}`),
		"as a form":       http200("application/x-www-form-urlencoded", "error="+m+"&error_description="+m),
		"broken form":     http200("application/x-www-form-urlencoded", "%"+m),
		"type":            http200("application/json", `{"access_token":"`+m+`","token_type":"`+m+`"}`),
		"line break":      http200("application/json", `{"access_token":"`+m+`\r\n`+m+`"}`),
		"expires_in":      http200("application/json", `{"access_token":"`+m+`","expires_in":"`+m+`"}`),
		"no token":        http200("application/json", `{"refresh_token":"`+m+`"}`),
		"token of a list": http200("application/json", `{"access_token":["`+m+`"]}`),
	}
	for name, a := range api {
		all[name] = a
	}
	return all
}
