package web

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

// build makes the request and returns the origin that it goes to.
func build(ctx context.Context, call *nodes.Call) (*http.Request, string, error) {
	u, origin, err := address(call)
	if err != nil {
		return nil, "", call.Errorf("url", "%w", err)
	}
	if err := addQuery(u, call.Object("query")); err != nil {
		return nil, "", call.Errorf("query", "%w", err)
	}
	body, contentType, err := requestBody(call)
	if err != nil {
		return nil, "", err
	}
	req, err := http.NewRequestWithContext(ctx, call.String("method"), u.String(), body)
	if err != nil {
		// The text of the error would show the whole address.
		return nil, "", call.Errorf("url", "is not an address that can be requested")
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	secret, err := addHeaders(req, call)
	if err != nil {
		return nil, "", call.Errorf("headers", "%w", err)
	}
	authorized, err := addAuth(req, call)
	if err != nil {
		return nil, "", call.Errorf("auth", "%w", err)
	}
	if (secret || authorized) && !literalOrigin(call, origin) {
		return nil, "", call.Errorf("url", "carries a credential, so its scheme, host and port must be written in full, without placeholders: https://host[:port]/...")
	}
	return req, origin, nil
}

// address parses the url; no error shows it, because it may hold a key.
func address(call *nodes.Call) (*url.URL, string, error) {
	u, err := url.Parse(call.String("url"))
	if err != nil {
		return nil, "", errors.New("cannot be parsed: write http(s)://host[:port][/path][?query], and put data into query")
	}
	origin, err := transport.Origin(u)
	if err != nil {
		return nil, "", err
	}
	u.Fragment, u.RawFragment = "", ""
	u.RawQuery = escapeQuery(u.RawQuery)
	return u, origin, nil
}

// escapeQuery encodes the bytes of a query that may not stand in a request
// line; placeholders bring them in.
func escapeQuery(q string) string {
	var b strings.Builder
	for i := range len(q) {
		if c := q[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// literalOrigin reports whether the part of the url up to the end of the port
// is written in the flow.
func literalOrigin(call *nodes.Call, origin string) bool {
	if !call.Templated("url") {
		return true
	}
	raw, _ := call.Raw("url").(string)
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return false
	}
	// The first of these ends the authority; what stands behind it is a path,
	// query or fragment. A placeholder in front of it contains a $.
	end := strings.IndexAny(rest, "/?#$\\")
	if end < 0 || rest[end] == '$' || rest[end] == '\\' {
		return false
	}
	u, err := url.Parse(scheme + "://" + rest[:end])
	if err != nil {
		return false
	}
	written, err := transport.Origin(u)
	return err == nil && written == origin
}

func addQuery(u *url.URL, query map[string]any) error {
	if len(query) == 0 {
		return nil
	}
	add := url.Values{}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		list := []any{query[name]}
		if n, ok := value.Len(query[name]); ok {
			list = list[:0]
			for i := range n {
				e, _ := value.Index(query[name], i)
				list = append(list, e)
			}
		}
		for _, e := range list {
			switch v := e.(type) {
			case nil:
			case string:
				add.Add(name, v)
			case bool, int64, float64:
				text, err := value.Marshal(v)
				if err != nil {
					return fmt.Errorf("%q: %w", name, err)
				}
				add.Add(name, string(text))
			default:
				return fmt.Errorf("%q holds %s, want a string, number, boolean, or an array of these", name, nodes.Describe(e))
			}
		}
	}
	if u.RawQuery != "" && len(add) > 0 {
		u.RawQuery += "&"
	}
	u.RawQuery += add.Encode()
	return nil
}

func requestBody(call *nodes.Call) (io.Reader, string, error) {
	var body io.Reader
	contentType := ""
	switch {
	case call.Given("json"):
		text, err := value.Marshal(call.Value("json"))
		if err != nil {
			return nil, "", call.Errorf("json", "cannot be written as JSON: %w", err)
		}
		body, contentType = strings.NewReader(string(text)), "application/json"
	case call.Has("body"):
		body, contentType = strings.NewReader(call.String("body")), "text/plain; charset=utf-8"
	default:
		return nil, "", nil
	}
	if !call.Given("method") {
		return nil, "", call.Errorf("method", "%w", errNoMethod)
	}
	return body, contentType, nil
}

// addHeaders sets the given headers; secret tells whether one of them holds a
// credential by its name.
func addHeaders(req *http.Request, call *nodes.Call) (secret bool, err error) {
	headers := call.Object("headers")
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		v, err := headerValue(headers[name])
		if err != nil {
			return false, fmt.Errorf("%q: %w", name, err)
		}
		if err := transport.CheckHeader(name, v); err != nil {
			return false, err
		}
		canonical := http.CanonicalHeaderKey(name)
		if other, twice := seen[canonical]; twice {
			return false, fmt.Errorf("%q and %q are the same header; give it once", other, name)
		}
		seen[canonical] = name
		if !nodes.SecretName(name) || v == "" {
			req.Header.Set(name, v)
			continue
		}
		secret = true
		s := transport.NewSecret(v)
		learn(call, s)
		if err := transport.SetCredential(req, name, "", s); err != nil {
			return false, err
		}
	}
	return secret, nil
}

func headerValue(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	text, err := value.Marshal(v)
	return string(text), err
}

func learn(call *nodes.Call, s transport.Secret) {
	if r := call.Env().Redactor; r != nil {
		r.Add(s)
		// The part behind a scheme ("Bearer x") is the credential itself.
		if _, rest, ok := strings.Cut(s.Reveal(), " "); ok {
			r.Add(transport.NewSecret(rest))
		}
	}
}

const authForms = "want one of {bearer=...}, {basic={user=..., password=...}} and {header=..., value=...}"

// addAuth sets the header for the auth parameter.
func addAuth(req *http.Request, call *nodes.Call) (bool, error) {
	auth := call.Object("auth")
	if len(auth) == 0 {
		if call.Given("auth") {
			return false, errors.New("is empty: " + authForms)
		}
		return false, nil
	}
	bearer, hasBearer := auth["bearer"].(transport.Secret)
	basic, hasBasic := auth["basic"].(map[string]any)
	header, hasHeader := auth["header"].(string)
	custom, hasValue := auth["value"].(transport.Secret)
	name, prefix, credential := "Authorization", "Bearer ", bearer
	switch {
	case hasBearer && len(auth) == 1:
	case hasBasic && len(auth) == 1:
		user, _ := basic["user"].(string)
		password, _ := basic["password"].(transport.Secret)
		if strings.Contains(user, ":") {
			return false, errors.New("basic: a user name cannot contain a colon")
		}
		pair := user + ":" + password.Reveal()
		learn(call, transport.NewSecret(pair))
		prefix, credential = "Basic ", transport.NewSecret(base64.StdEncoding.EncodeToString([]byte(pair)))
	case hasHeader && hasValue && len(auth) == 2:
		name, prefix, credential = header, "", custom
	default:
		return false, errors.New(authForms)
	}
	if req.Header.Get(name) != "" {
		return false, fmt.Errorf("the header %s is given in headers as well; give it once", http.CanonicalHeaderKey(name))
	}
	return true, transport.SetCredential(req, name, prefix, credential)
}
