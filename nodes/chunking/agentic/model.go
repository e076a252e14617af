package agentic

import "context"

// The purposes of a [Question].
const (
	PurposeExtract = "extract"
	PurposeRepair  = "repair"
	PurposeGroup   = "group"
	PurposeMerge   = "merge"
)

// Question is one call of a model.
type Question struct {
	// Purpose is one of the Purpose constants.
	Purpose string
	// System and User are the two messages.
	System, User string
	// SchemaName and Schema are the JSON schema of the answer.
	SchemaName string
	Schema     []byte
	// MaxTokens bounds the answer.
	MaxTokens int
	// Items are what the question is about, in its order, for scripted models.
	Items []Item
}

// Item is one thing that a question names: a sentence to extract, a proposition
// or a theme to group.
type Item struct {
	// Label is its name in the question.
	Label string
	// Text is what the question says behind the label.
	Text string
	// Number is that of the sentence in the document, of the proposition in the
	// order of the source, or of the theme, from 0.
	Number int
}

// Reply is what a model answered.
type Reply struct {
	Text string
	// Cut says that the answer met a limit before its end, Refused that the model
	// or its provider declined.
	Cut, Refused bool
	// InputTokens and OutputTokens are 0 when they are not known.
	InputTokens, OutputTokens int64
	// Retries is how many requests had to be repeated.
	Retries int
	// Cached says that the answer came from a cache: no call was made.
	Cached bool
	// FormatDropped says that the server did not want to be asked for the schema.
	FormatDropped bool
}

// Model answers questions. Several goroutines ask at once. An error ends the run;
// bad answers are answers.
type Model interface {
	Ask(ctx context.Context, q Question) (Reply, error)
}
