package ai

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
)

// chatter is what all nodes that ask a model share: the vendors that have
// models which chat.
type chatter struct {
	vendors []providers.Vendor
	// local adds the provider "local", with which a node works without a model.
	local bool
}

func newChatter(vendors []providers.Vendor, local bool) *chatter {
	c := &chatter{local: local}
	for _, v := range vendors {
		if v.Chats {
			c.vendors = append(c.vendors, v)
		}
	}
	return c
}

// params are the parameters of every node that asks a model: the choice of the
// provider, the settings that its vendor declares, and how a call is made. How
// long an answer may be is up to the node.
func (c *chatter) params() []nodes.Param {
	params := []nodes.Param{{
		Name: "provider", Type: nodes.String, Enum: c.providers(), Lenient: true, Required: true, Help: c.providerHelp(),
	}}
	params = append(params, c.modelParams()...)
	params = append(params, settingParams(c.vendors)...)
	if compatible := openAICompatible(c.vendors); len(compatible) > 0 {
		params = append(params, nodes.Param{Name: "max_tokens_field", Type: nodes.String, Enum: []string{providers.FieldMaxTokens, providers.FieldMaxCompletionTokens},
			Default: providers.FieldMaxTokens, When: nodes.Only("provider", compatible...),
			Help: "under which name the limit on tokens is sent; OpenAI's reasoning models take the second only, many other servers the first only"})
	}
	var asking *nodes.When
	if c.local && len(c.vendors) > 0 {
		asking = nodes.Only("provider", c.asking()...)
	}
	return append(params,
		nodes.Param{Name: "timeout", Type: nodes.Number, Default: providers.DefaultChatTimeout.Seconds(), Range: nodes.Above(0), Unit: "s", When: asking,
			Help: "time for one request"},
		nodes.Param{Name: "call_retries", Type: nodes.Integer, Default: int64(2), Range: nodes.Between(0, providers.MaxChatRetries), When: asking,
			Help: "extra attempts for a call that failed in a way that may pass, such as a stream that was cut"},
		nodes.Param{Name: "temperature", Type: nodes.Number, Default: 0.0, Range: nodes.Between(0, providers.MaxTemperature), When: asking,
			Help: "how freely the model chooses its words; 0 is sent as 0"},
		nodes.Param{Name: "send_temperature", Type: nodes.Boolean, Default: true, When: asking,
			Help: "false leaves the temperature to the server, for models that take none"},
		nodes.Param{Name: "response_format", Type: nodes.String, When: asking, Default: providers.ModeAuto,
			Enum: []string{providers.ModeAuto, providers.ModeJSONSchema, providers.ModeJSONObject, providers.ModeNone},
			Help: "what form of answer the server is asked for; auto asks for the schema and for less when the server refuses that"},
		nodes.Param{Name: "cache_dir", Type: nodes.String, NonEmpty: true, When: asking,
			Help: "folder in which complete answers are kept by provider, address, model, parameters and messages, so that only new questions are asked"},
		nodes.Param{Name: "cache_max_bytes", Type: nodes.Integer, Default: int64(providers.DefaultCacheMaxBytes), Range: nodes.AtLeast(1), Unit: "bytes",
			Needs: []string{"cache_dir"}, When: asking,
			Help: "size of the answers in that folder; those that were not used for the longest time go first"},
	)
}

// asking names the providers that ask a model.
func (c *chatter) asking() []string {
	names := make([]string, len(c.vendors))
	for i, v := range c.vendors {
		names[i] = v.Name
	}
	return names
}

func (c *chatter) providers() []string {
	if !c.local {
		return c.asking()
	}
	return append([]string{localProvider}, c.asking()...)
}

func (c *chatter) providerHelp() string {
	if c.local {
		return "who has the model; local works without one"
	}
	return "who has the model"
}

// modelParams are the parameter model: with a default where the vendor has one.
func (c *chatter) modelParams() []nodes.Param {
	var with, without, defaults []string
	for _, v := range c.vendors {
		if v.ChatModel == "" {
			without = append(without, v.Name)
			continue
		}
		with = append(with, v.Name)
		defaults = append(defaults, v.Name+" "+v.ChatModel)
	}
	var params []nodes.Param
	if len(with) > 0 {
		params = append(params, nodes.Param{Name: "model", Type: nodes.String, NonEmpty: true, When: nodes.Only("provider", with...),
			Help: "chat model; without it " + strings.Join(defaults, ", ")})
	}
	if len(without) > 0 {
		params = append(params, nodes.Param{Name: "model", Type: nodes.String, NonEmpty: true, Required: true, When: nodes.Only("provider", without...),
			Help: "chat model, as the gateway names it"})
	}
	return params
}

// job collects the provider parameters of a call. The messages, the form of the
// answer and the limit on tokens are the caller's to fill in.
func (c *chatter) job(call *nodes.Call) (providers.ChatJob, error) {
	if call.Env().Providers == nil {
		return providers.ChatJob{}, errors.New("no providers are available here")
	}
	name := call.String("provider")
	job := providers.ChatJob{
		Provider:      name,
		Params:        call.Params(settingNames(c.vendors, name)...),
		Model:         call.String("model"),
		FormatMode:    call.String("response_format"),
		Retries:       call.Int("call_retries"),
		Timeout:       time.Duration(call.Float("timeout") * float64(time.Second)),
		CacheDir:      cacheDir(call),
		CacheMaxBytes: int64(call.Int("cache_max_bytes")),
	}
	if len(openAICompatible(c.vendors)) > 0 {
		job.MaxTokensField = call.String("max_tokens_field")
	}
	if call.Bool("send_temperature") {
		temperature := call.Float("temperature")
		job.Temperature = &temperature
	}
	return job, nil
}

// settingNames are the settings that a vendor declares.
func settingNames(vendors []providers.Vendor, vendor string) []string {
	i := slices.IndexFunc(vendors, func(v providers.Vendor) bool { return v.Name == vendor })
	if i < 0 {
		return nil
	}
	var names []string
	for _, s := range vendors[i].Settings {
		names = append(names, s.Name)
	}
	return names
}
