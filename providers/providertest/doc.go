// Package providertest is the conformance suite that every vendor passes. A
// vendor's own test describes its wire format in a [Subject] and calls [Run];
// the suite plays servers, good and bad, on loopback. Only tests import it.
package providertest

import (
	"runtime"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
)

// Subject describes a vendor to the suite.
type Subject struct {
	// Vendor makes the vendor under test.
	Vendor func() providers.Vendor
	// Params are the parameters with which the vendor sends to a server. api
	// is the address of the API without a trailing slash, token that of the
	// token endpoint.
	Params func(api, token string) map[string]any
	// Base is put behind the server's address to get api: "/v1" or "".
	Base string
	// Path is the path of the embedding request below the base.
	Path string
	// Answer writes a good answer around vectors, each given as JSON, from the
	// model "m-1" and with 4 tokens of input.
	Answer func(vectors []string) string
	// Credential is the Authorization header that a request must carry; empty
	// when there is none.
	Credential string
	// Body is the exact body for the model "m" and the inputs "a<b>&c" and
	// "é\u2028", dimensions 2, encoding_format "base64".
	Body string
	// Indexed says that vectors carry an index.
	Indexed bool
	// UsesToken says that the vendor fetches a token first.
	UsesToken bool
	// Chat is the vendor's wire format for questions to models; a zero value
	// for vendors without any.
	Chat ChatSubject
}

// ChatSubject describes how a vendor asks models.
type ChatSubject struct {
	// Path is the path of the request below the base.
	Path string
	// Answer writes a whole answer around a content, given as JSON, that ended
	// for a reason, from the model "m-1" with 4 tokens in and 2 out.
	Answer func(content, finish string) string
	// Message writes a whole answer around the members of its message.
	Message func(members, finish string) string
	// Stream writes such an answer as a stream of pieces, given as JSON, and
	// End is the part of it that must not be missing. StreamType is its media
	// type.
	Stream     func(pieces []string, finish string) string
	End        string
	StreamType string
	// Events says that the stream consists of server-sent events.
	Events bool
	// Body is the exact body for the job that goldenChat makes.
	Body string
	// SchemaMark and ObjectMark are parts of a body that asks for a schema and
	// for JSON without one, NoMark is in every body that asks for a form.
	SchemaMark, ObjectMark, NoMark string
	// TokenField is what MaxTokens is called when the job says
	// max_completion_tokens.
	TokenField string
}

// part is one part of the suite.
type part struct {
	name string
	run  func(*testing.T, Subject)
}

// Run runs the whole suite as subtests of t, and checks that no goroutine is
// left at the end.
func Run(t *testing.T, s Subject) {
	before := runtime.NumGoroutine()
	t.Run("conformance", func(t *testing.T) {
		for _, part := range []part{
			{"order", testOrder},
			{"batches", testBatches},
			{"inputs", testInputs},
			{"request", testRequest},
			{"results", testResults},
			{"bad answers", testBadAnswers},
			{"bad indexes", testBadIndexes},
			{"dimensions", testDimensions},
			{"values", testValues},
			{"base64", testBase64},
			{"real servers", testRealServers},
			{"statuses", testStatuses},
			{"retry after", testRetryAfter},
			{"back-off", testBackOff},
			{"resending", testResending},
			{"breaking connections", testBreakingConnections},
			{"cancellation", testCancellation},
			{"deadlines", testDeadlines},
			{"concurrency", testConcurrency},
			{"connections", testConnections},
			{"body limit", testBodyLimit},
			{"leaks", testLeaks},
			{"redirects", testRedirects},
		} {
			t.Run(part.name, func(t *testing.T) { part.run(t, s) })
		}
		if !s.Vendor().Chats {
			return
		}
		for _, part := range chatParts() {
			t.Run("chat, "+part.name, func(t *testing.T) { part.run(t, s) })
		}
	})
	waitForGoroutines(t, before)
}

// waitForGoroutines fails when the number of goroutines does not come back to
// what it was.
func waitForGoroutines(t *testing.T, before int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before the suite\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(5 * time.Millisecond)
	}
}
