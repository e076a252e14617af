package web

import (
	"encoding/base64"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/ironflow/ironflow/nodes/value"
)

// readData reads the body of an answer and turns it into a context value.
// broken is the reason when a body that calls itself JSON is none; data is then
// what it would be without that claim.
func readData(resp *http.Response) (data any, broken, err error) {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, nil, err
	}
	kind, params, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if isJSON(kind) {
		if len(body) == 0 {
			return nil, nil, nil
		}
		if data, broken = value.ParseJSON(body); broken == nil {
			return data, nil, nil
		}
	}
	return textOrBase64(body, params["charset"]), broken, nil
}

func isJSON(kind string) bool {
	return kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json")
}

// textOrBase64 gives the body as text where it is text, in UTF-8 or in the
// character set that the answer names; else in base64.
func textOrBase64(body []byte, charset string) string {
	if charset != "" && !strings.EqualFold(charset, "utf-8") {
		if e, err := htmlindex.Get(charset); err == nil {
			if text, err := e.NewDecoder().Bytes(body); err == nil && utf8.Valid(text) {
				return string(text)
			}
		}
	}
	if utf8.Valid(body) {
		return string(body)
	}
	return base64.StdEncoding.EncodeToString(body)
}

// headerValues turns headers into an object of strings.
func headerValues(h http.Header) map[string]any {
	out := make(map[string]any, len(h))
	for name, values := range h {
		sep := ", "
		if name == "Set-Cookie" {
			sep = "\n"
		}
		out[strings.ToLower(name)] = headerText(strings.Join(values, sep))
	}
	return out
}

// headerText reads a header value that is not UTF-8 as Latin-1, which HTTP
// headers were once defined in.
func headerText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
