package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/transport"
)

const httpDoc = "`_data` is the parsed value when the answer says that it is JSON, a string when it is text (converted to UTF-8 from the character set that the answer names), " +
	"and the base64 form of the bytes when it is neither. A JSON answer without a body is null. " +
	"`_headers` has lower-case names; repeated headers are joined with \", \", `set-cookie` with a newline.\n\n" +
	"A status outside 200..299 fails the step, but its recovery step finds status, data and headers in `_error_output`; with `fail_on_status = false` they are published and `_success` is false.\n\n" +
	"Placeholders in `url` go in as they are; put data into `query`, which encodes it. With `auth`, or a header that holds a credential by its name (Authorization, X-Api-Key, ...), " +
	"scheme, host and port of `url` must be written in full, so that no data can send the credential elsewhere. Redirects are followed only to the same scheme, host and port. " +
	"Nothing is sent again by itself: give the step `:retries(n)`. Credentials go over plain http only to loopback and private addresses."

func httpRequest() nodes.Node {
	secret := func(name, help string) nodes.Param {
		return nodes.Param{Name: name, Type: nodes.String, Secret: true, Help: help}
	}
	return nodes.Node{Run: runHTTP, Spec: nodes.Spec{
		Name:    "http_request",
		Summary: "Send an HTTP request and publish the answer",
		Doc:     httpDoc,
		Params: []nodes.Param{
			{Name: "url", Type: nodes.String, Required: true, Interpolate: true, NonEmpty: true, Help: "http or https address"},
			{Name: "method", Type: nodes.String, Enum: []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}, Default: "GET", Help: "what to do; must be given when there is a body"},
			{Name: "headers", Type: nodes.Object, Interpolate: true, Elem: &nodes.Param{Type: nodes.String, Or: []nodes.Type{nodes.Number, nodes.Boolean}}, Help: "header names and values"},
			{Name: "query", Type: nodes.Object, Interpolate: true, Help: "query parameters: strings, numbers, booleans, or arrays of these to repeat a name; null leaves it out"},
			{Name: "json", Type: nodes.Any, Interpolate: true, Help: "value that is sent as the JSON body"},
			{Name: "body", Type: nodes.String, Interpolate: true, Help: "text that is sent as the body, as text/plain unless headers say otherwise"},
			{Name: "auth", Type: nodes.Object, Secret: true, Help: "credential: {bearer=}, {basic={user=, password=}} or {header=, value=}", Fields: []nodes.Param{
				secret("bearer", "token for the Authorization header"),
				{Name: "basic", Type: nodes.Object, Secret: true, Help: "name and password for the Authorization header", Fields: []nodes.Param{
					{Name: "user", Type: nodes.String, Required: true, Help: "user name"},
					{Name: "password", Type: nodes.String, Secret: true, Required: true, Help: "password"},
				}},
				{Name: "header", Type: nodes.String, Help: "name of another header that carries a credential"},
				secret("value", "value of that header"),
			}},
			{Name: "timeout", Type: nodes.Number, Default: 30, Range: &nodes.Range{Min: 0, Max: 3600, OpenMin: true}, Unit: "s", Help: "time for the whole exchange"},
			{Name: "fail_on_status", Type: nodes.Boolean, Default: true, Help: "fail when the status is outside 200..299"},
			{Name: "output_key", Type: nodes.String, Default: "http", Role: nodes.OutputKey, Help: "start of the published keys"},
		},
		Choices: []nodes.Choice{{Params: []string{"json", "body"}}},
		Outputs: []nodes.OutputSpec{
			{Suffix: "_status", Type: nodes.Integer, Help: "status code"},
			{Suffix: "_data", Type: nodes.Any, Help: "the answer: a JSON value, a text, or base64"},
			{Suffix: "_headers", Type: nodes.Object, Help: "headers of the answer, by lower-case name"},
			{Suffix: "_success", Type: nodes.Boolean, Help: "true when the status is within 200..299"},
		},
		Examples: []nodes.Example{{
			Title:   "Ask a search service",
			Lua:     `nodes.http_request{ method = "POST", url = "http://127.0.0.1:9200/docs/_search", json = { query = "${ctx.question}", size = 5 }, output_key = "hits" }`,
			Context: `{"question": "tides"}`,
			Needs:   "provider",
		}},
	}}
}

func runHTTP(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	if call.Env().HTTP == nil {
		return nil, call.Errorf("url", "there is no network here")
	}
	seconds := call.Float("timeout")
	// Not the caller's own deadline: the cause tells which of the two ended it.
	expired := fmt.Errorf("no complete answer within %g s; raise timeout", seconds)
	reqCtx, cancel := context.WithTimeoutCause(ctx, time.Duration(seconds*float64(time.Second)), expired)
	defer cancel()
	req, origin, err := build(reqCtx, call)
	if err != nil {
		return nil, err
	}
	out, err := exchange(call, req)
	if err == nil || ctx.Err() == nil && out != nil {
		return out, err
	}
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case reqCtx.Err() != nil:
		err = expired
	}
	var known *transport.Error
	if errors.As(err, &known) { // names the origin itself
		return nil, fmt.Errorf("http_request: %s: %w", req.Method, err)
	}
	return nil, fmt.Errorf("http_request: %s %s: %w", req.Method, origin, err)
}

// exchange sends the request and reads the answer.
func exchange(call *nodes.Call, req *http.Request) (nodes.Output, error) {
	resp, err := call.Env().HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, broken, err := readData(resp)
	if err != nil {
		return nil, err
	}
	ok := resp.StatusCode >= 200 && resp.StatusCode <= 299
	out := nodes.Output{
		"_status":  resp.StatusCode,
		"_data":    data,
		"_headers": headerValues(resp.Header),
		"_success": ok && broken == nil,
	}
	origin, _ := transport.Origin(req.URL)
	switch {
	case ok && broken != nil:
		return out, &nodes.Failure{Output: out, Err: fmt.Errorf("http_request: %s %s: the answer says that it is JSON, but it is not: %w", req.Method, origin, broken)}
	case !ok && call.Bool("fail_on_status"):
		return out, &nodes.Failure{Output: out, Err: fmt.Errorf("http_request: %s %s answered HTTP %d; a recovery step finds the answer in _error_output, and fail_on_status=false publishes it", req.Method, origin, resp.StatusCode)}
	}
	return out, nil
}

var errNoMethod = errors.New(`must be given with a body: method="POST", "PUT", "PATCH" or "DELETE"`)
