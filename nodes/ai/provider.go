package ai

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
)

// embedder is what all nodes that embed share: the vendors, and which model of
// the local one the node takes when the flow names none.
type embedder struct {
	vendors []providers.Vendor
	// localModel is the model of the provider "local"; empty = its own default.
	localModel string
	// said makes the log tell only once that the local model was taken.
	said sync.Once
}

// localProvider is the provider that works without a key and a network, and so
// the default where it is built in.
const localProvider = "local"

func (e *embedder) hasLocal() bool {
	return slices.ContainsFunc(e.vendors, func(v providers.Vendor) bool { return v.Name == localProvider })
}

// params are the parameters of every node that embeds: the choice of
// the provider, the settings that its vendor declares, and the limits of a
// batch.
func (e *embedder) params() []nodes.Param {
	vendors := e.vendors
	names := make([]string, len(vendors))
	var models []string
	for i, v := range vendors {
		names[i] = v.Name
		model := v.EmbedModel
		if v.Name == localProvider && e.localModel != "" {
			model = e.localModel
		}
		if model != "" {
			models = append(models, v.Name+" "+model)
		}
	}
	provider := nodes.Param{Name: "provider", Type: nodes.String, Enum: names, Lenient: true, Required: true,
		Help: "who turns text into vectors"}
	if e.hasLocal() {
		provider.Required, provider.Default = false, localProvider
		provider.Help += "; local is a model inside the binary, which needs no key and no network"
	}
	params := []nodes.Param{
		provider,
		{Name: "model", Type: nodes.String, NonEmpty: true,
			Help: "embedding model; without it " + strings.Join(models, ", ")},
		{Name: "dimensions", Type: nodes.Integer, Range: nodes.Between(1, 65536),
			Help: "vector length to ask for and to insist on; without it, what the model returns"},
	}
	params = append(params, settingParams(vendors)...)
	if compatible := openAICompatible(vendors); len(compatible) > 0 {
		params = append(params, nodes.Param{Name: "encoding_format", Type: nodes.String, Enum: []string{"float", "base64"},
			When: nodes.Only("provider", compatible...),
			Help: "what to ask an OpenAI-compatible server for; base64 is a quarter of the size, and both are always read"})
	}
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
		nodes.Param{Name: "cache_dir", Type: nodes.String, NonEmpty: true,
			Help: "folder in which vectors are kept by provider, address, model, dimensions, prefix and text, so that only new texts are sent"},
		nodes.Param{Name: "cache_max_bytes", Type: nodes.Integer, Default: int64(providers.DefaultCacheMaxBytes), Range: nodes.AtLeast(1), Unit: "bytes", Needs: []string{"cache_dir"},
			Help: "size of that folder; vectors that were not used for the longest time go first"},
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

// embed returns the vectors of the texts with the provider parameters of a call.
func (e *embedder) embed(ctx context.Context, call *nodes.Call, texts []string, normalize bool) (*providers.Embeddings, error) {
	job, err := e.job(call, texts)
	if err != nil {
		return nil, err
	}
	job.Normalize = normalize
	if !call.Given("provider") {
		e.said.Do(func() {
			call.Env().Log.Info("no provider is set: the model inside the binary makes the vectors", "provider", job.Provider, "model", job.Model)
		})
	}
	answer, err := call.Env().Providers.Embed(ctx, job)
	if err != nil {
		return nil, err
	}
	for _, n := range answer.Notes {
		call.Env().Log.Warn(n.String(), "provider", job.Provider)
	}
	return answer, nil
}

// job collects the provider parameters of a call.
func (e *embedder) job(call *nodes.Call, texts []string) (providers.EmbedJob, error) {
	if call.Env().Providers == nil {
		return providers.EmbedJob{}, fmt.Errorf("no providers are available here")
	}
	name := call.String("provider")
	model := call.String("model")
	if model == "" && name == localProvider {
		model = e.localModel
	}
	encoding := ""
	if len(openAICompatible(e.vendors)) > 0 {
		encoding = call.String("encoding_format")
	}
	return providers.EmbedJob{
		Provider:         name,
		Params:           call.Params(settingNames(e.vendors, name)...),
		Model:            model,
		Dimensions:       call.Int("dimensions"),
		Texts:            texts,
		Prefix:           call.String("prefix"),
		BatchSize:        call.Int("batch_size"),
		BatchMaxBytes:    call.Int("batch_max_bytes"),
		BatchRetries:     call.Int("batch_retries"),
		BatchConcurrency: call.Int("batch_concurrency"),
		Timeout:          time.Duration(call.Float("timeout") * float64(time.Second)),
		EncodingFormat:   encoding,
		CacheDir:         cacheDir(call),
		CacheMaxBytes:    int64(call.Int("cache_max_bytes")),
		Progress:         func(done, total int) { call.Progress(done, total, "batch") },
	}, nil
}

// cacheDir takes a relative folder from the working directory, as file nodes do.
func cacheDir(call *nodes.Call) string {
	dir := call.String("cache_dir")
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(call.Env().Files.WorkDir, dir)
}
