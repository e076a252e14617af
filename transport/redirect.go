package transport

import (
	"net/http"
	"net/url"
)

const (
	redirectElsewhere  detail = "set base_url to the final address"
	redirectUnusable   detail = "its target is not an acceptable http or https address (userinfo, zones, opaque parts, other schemes, port 0 and non-ASCII hosts are not); set base_url to the final address"
	redirectTooMany    detail = "more than 10 redirects; set base_url to the final address"
	redirectDropsBody  detail = "following it would drop the request body, because 301, 302 and 303 turn a POST into a GET; set base_url to the final address"
	redirectCannotSend detail = "the request body cannot be sent a second time; set base_url to the final address"
	redirectBroken     detail = "the chain of redirects cannot be followed back to its first request"
)

// checkHop decides whether the n-th redirect may be followed. It compares with
// the FIRST request, so that no chain of steps can drift to another origin.
func checkHop(first, next *url.URL, n int) *Error {
	a, why := originOf(first)
	if why != "" {
		return &Error{Kind: KindInvalid, detail: why}
	}
	b, why := originOf(next)
	switch {
	case why != "":
		return &Error{Kind: KindRedirect, Origin: a.String(), detail: redirectUnusable}
	case a != b:
		return &Error{Kind: KindRedirect, Origin: a.String(), Target: b.String(), detail: redirectElsewhere}
	case n > maxRedirects:
		return &Error{Kind: KindRedirect, Origin: a.String(), detail: redirectTooMany}
	}
	return nil
}

// checkBodyKept refuses a step on which net/http drops the body of prev or
// turns its method into another one.
func checkBodyKept(prev, next *http.Request) *Error {
	changed := method(prev) != method(next) && method(prev) != http.MethodHead
	if !changed && (!hasBody(prev) || hasBody(next)) {
		return nil
	}
	e := &Error{Kind: KindRedirect, detail: redirectDropsBody}
	if o, why := originOf(prev.URL); why == "" {
		e.Origin = o.String()
	}
	if next.Response != nil {
		e.Status = next.Response.StatusCode
	}
	return e
}

func method(r *http.Request) string {
	if r.Method == "" {
		return http.MethodGet
	}
	return r.Method
}

func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

// checkRedirect is the first line: the redirect check of our own http.Client.
// net/http calls it before anything touches the network.
func checkRedirect(next *http.Request, via []*http.Request) error {
	next.Header.Del("Referer")
	if e := checkHop(via[0].URL, next.URL, len(via)); e != nil {
		return e
	}
	if e := checkBodyKept(via[len(via)-1], next); e != nil {
		return e
	}
	return nil
}

// checkChain is the second line, in the round tripper: it walks from a request
// back to the first one over the responses that led to it.
func checkChain(req *http.Request) *Error {
	if req.Response == nil {
		return nil
	}
	n, first := 0, req
	for first.Response != nil {
		if first.Response.Request == nil || n > maxRedirects+1 {
			e := &Error{Kind: KindRedirect, detail: redirectBroken}
			if n > maxRedirects {
				e.detail = redirectTooMany
			}
			return e
		}
		first = first.Response.Request
		n++
	}
	if e := checkHop(first.URL, req.URL, n); e != nil {
		return e
	}
	return checkBodyKept(req.Response.Request, req)
}

// isRedirect reports whether net/http would follow resp.
func isRedirect(resp *http.Response) bool {
	switch resp.StatusCode {
	case 301, 302, 303, 307, 308:
		return resp.Header.Get("Location") != ""
	}
	return false
}

// checkLocation looks at a redirect before net/http does: an unusable Location
// would be quoted in net/http's error, several of them are ambiguous, and a
// body that cannot be replayed makes net/http hand out the redirect as if it
// were the answer.
func checkLocation(req *http.Request, resp *http.Response, origin string) *Error {
	if !isRedirect(resp) {
		return nil
	}
	e := &Error{Kind: KindRedirect, Origin: origin, Status: resp.StatusCode}
	locs := resp.Header.Values("Location")
	for _, l := range locs[1:] {
		if l != locs[0] {
			e.detail = redirectUnusable
			return e
		}
	}
	if _, err := req.URL.Parse(locs[0]); err != nil {
		e.detail = redirectUnusable
		return e
	}
	if resp.StatusCode >= 307 && hasBody(req) && req.GetBody == nil {
		e.detail = redirectCannotSend
		return e
	}
	return nil
}
