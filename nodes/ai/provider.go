package ai

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
)

// providerParams are the parameters of every node that embeds: the choice of
// the provider, the settings that its vendor declares, and the limits of a
// batch.
func providerParams(vendors []providers.Vendor) []nodes.Param {
	names := make([]string, len(vendors))
	var models []string
	for i, v := range vendors {
		names[i] = v.Name
		if v.EmbedModel != "" {
			models = append(models, v.Name+" "+v.EmbedModel)
		}
	}
	params := []nodes.Param{
		{Name: "provider", Type: nodes.String, Enum: names, Required: true, Lenient: true,
			Help: "who turns text into vectors"},
		{Name: "model", Type: nodes.String, NonEmpty: true,
			Help: "embedding model; without it " + strings.Join(models, ", ")},
		{Name: "dimensions", Type: nodes.Integer, Range: nodes.Between(1, 65536),
			Help: "vector length to ask for and to insist on; without it, what the model returns"},
	}
	params = append(params, settingParams(vendors)...)
	return append(params,
		nodes.Param{Name: "timeout", Type: nodes.Number, Default: 120.0, Range: nodes.Above(0), Unit: "s",
			Help: "time for one request"},
		nodes.Param{Name: "prefix", Type: nodes.String, Interpolate: true, Default: "",
			Help: "text put before each text that is embedded, such as \"search_document: \"; it counts towards batch_max_bytes"},
		nodes.Param{Name: "batch_size", Type: nodes.Integer, Default: int64(providers.DefaultBatchSize), Range: nodes.Between(1, providers.MaxBatchSize), Unit: "texts",
			Help: "a request carries at most this many texts"},
		nodes.Param{Name: "batch_max_bytes", Type: nodes.Integer, Default: int64(providers.DefaultBatchMaxBytes), Range: nodes.Between(1, providers.MaxBatchMaxBytes), Unit: "bytes",
			Help: "a request carries at most this much text; one text above it is an error, never cut"},
		nodes.Param{Name: "batch_retries", Type: nodes.Integer, Default: int64(providers.DefaultBatchRetries), Range: nodes.Between(0, providers.MaxBatchRetries),
			Help: "extra attempts for a batch that failed in a way that may pass; other batches are not sent again"},
		nodes.Param{Name: "batch_concurrency", Type: nodes.Integer, Default: int64(1), Range: nodes.Between(1, providers.MaxBatchConcurrency), Unit: "requests",
			Help: "batches under way at once; order and results stay the same"},
		nodes.Param{Name: "encoding_format", Type: nodes.String, Enum: []string{"float", "base64"},
			When: nodes.Only("provider", openAICompatible(vendors)...),
			Help: "what to ask an OpenAI-compatible server for; base64 is a quarter of the size, and both are always read"},
	)
}

// openAICompatible names the vendors that can be asked for base64.
func openAICompatible(vendors []providers.Vendor) []string {
	var names []string
	for _, v := range vendors {
		if v.SendsEncodingFormat {
			names = append(names, v.Name)
		}
	}
	return names
}

// settingParams turns the declared settings of the vendors into parameters,
// each in the group of its provider. Equal settings of several vendors become
// one parameter.
func settingParams(vendors []providers.Vendor) []nodes.Param {
	var params []nodes.Param
	for _, v := range vendors {
		for _, s := range v.Settings {
			p := settingParam(v.Name, s)
			i := slices.IndexFunc(params, func(q nodes.Param) bool {
				return q.Name == p.Name && q.Env == p.Env && q.Help == p.Help && q.Type == p.Type
			})
			if i >= 0 {
				params[i].When.In = append(params[i].When.In, v.Name)
				continue
			}
			params = append(params, p)
		}
	}
	return params
}

func settingParam(vendor string, s providers.Setting) nodes.Param {
	help := s.Help
	if s.Default != "" {
		help += "; without it " + s.Default
	}
	p := nodes.Param{Name: s.Name, Type: nodes.String, Env: s.Env, Help: help, When: nodes.Only("provider", vendor)}
	switch s.Kind {
	case providers.SecretSetting:
		p.Secret = true
	case providers.SecretHeadersSetting:
		p.Type, p.Secret = nodes.Object, true
	case providers.ChoiceSetting:
		p.Enum = s.Choices
	}
	return p
}

// embedJob collects the provider parameters of a call; the node adds texts and
// what is its own.
func embedJob(call *nodes.Call, vendors []providers.Vendor, texts []string) (providers.EmbedJob, error) {
	if call.Env().Providers == nil {
		return providers.EmbedJob{}, fmt.Errorf("no providers are available here")
	}
	name := call.String("provider")
	var settings []string
	for _, v := range vendors {
		if v.Name == name {
			for _, s := range v.Settings {
				settings = append(settings, s.Name)
			}
		}
	}
	return providers.EmbedJob{
		Provider:         name,
		Params:           call.Params(settings...),
		Model:            call.String("model"),
		Dimensions:       call.Int("dimensions"),
		Texts:            texts,
		Prefix:           call.String("prefix"),
		BatchSize:        call.Int("batch_size"),
		BatchMaxBytes:    call.Int("batch_max_bytes"),
		BatchRetries:     call.Int("batch_retries"),
		BatchConcurrency: call.Int("batch_concurrency"),
		Timeout:          time.Duration(call.Float("timeout") * float64(time.Second)),
		EncodingFormat:   call.String("encoding_format"),
		Progress:         func(done, total int) { call.Progress(done, total, "batch") },
	}, nil
}
