package providers

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/ironflow/ironflow/providers/cache"
	"github.com/ironflow/ironflow/transport"
)

// MaxEmbeddingValuesVariable is the variable behind [Limits].MaxEmbeddingValues.
const MaxEmbeddingValuesVariable = "IRONFLOW_MAX_EMBEDDING_VALUES"

// DefaultMaxEmbeddingValues bounds count x dimension of one job: 128 MiB of
// float64.
const DefaultMaxEmbeddingValues = 16777216

// Limits bound what one job may hold.
type Limits struct {
	// MaxEmbeddingValues bounds count x dimension of one job; 0 stands for
	// DefaultMaxEmbeddingValues.
	MaxEmbeddingValues int64
}

// SetOptions are what a [Set] is built from.
type SetOptions struct {
	Vendors []Vendor
	// Client sends every request; required.
	Client *transport.Client
	// Clock is SystemClock when nil.
	Clock Clock
	// Redactor learns every secret that is resolved; may be nil.
	Redactor *transport.Redactor
	Limits   Limits
	// Lookup finds variables; nil when there are none.
	Lookup Lookup
	// AllowInsecureHTTP lets credentials travel over plain http to addresses
	// that are neither loopback nor private; never to a token endpoint.
	AllowInsecureHTTP bool
}

// Set holds the vendors of a process with everything they share: the HTTP
// client and so the connection pool, the token cache, the limits. It is safe
// for concurrent use.
type Set struct {
	opt    SetOptions
	byName map[string]Vendor

	// mu guards what follows.
	mu sync.Mutex
	// caches are the open folders of vectors and answers.
	caches map[cachePlace]*cache.Dir
	// refused are the forms of answers that models were seen to refuse.
	refused map[formatPlace]refusedForms
}

// NewSet checks the options and builds a set. Errors name the vendor or the
// variable.
func NewSet(opt SetOptions) (*Set, error) {
	if opt.Client == nil {
		return nil, errors.New("providers: a set needs an HTTP client")
	}
	if opt.Clock == nil {
		opt.Clock = SystemClock()
	}
	switch {
	case opt.Limits.MaxEmbeddingValues == 0:
		opt.Limits.MaxEmbeddingValues = DefaultMaxEmbeddingValues
	case opt.Limits.MaxEmbeddingValues < 0:
		return nil, configError("%s is %d: give a positive number", MaxEmbeddingValuesVariable, opt.Limits.MaxEmbeddingValues)
	}
	opt.Vendors = append([]Vendor(nil), opt.Vendors...)
	s := &Set{opt: opt, byName: make(map[string]Vendor, len(opt.Vendors))}
	for _, v := range opt.Vendors {
		if err := checkVendor(v); err != nil {
			return nil, err
		}
		if _, twice := s.byName[v.Name]; twice {
			return nil, fmt.Errorf("providers: vendor %q is listed twice", v.Name)
		}
		s.byName[v.Name] = v
	}
	return s, nil
}

// checkVendor finds mistakes in a vendor's declaration.
func checkVendor(v Vendor) error {
	if v.Name == "" || v.Open == nil {
		return fmt.Errorf("providers: vendor %q needs a name and an Open function", v.Name)
	}
	seen := map[string]bool{}
	for _, d := range v.Settings {
		switch {
		case d.Name == "" || seen[d.Name]:
			return fmt.Errorf("providers: vendor %q declares the setting %q twice or without a name", v.Name, d.Name)
		case d.Help == "":
			return fmt.Errorf("providers: setting %q of vendor %q has no help text", d.Name, v.Name)
		case (d.Kind == ChoiceSetting) != (len(d.Choices) > 0):
			return fmt.Errorf("providers: setting %q of vendor %q: choices belong to a choice, and only there", d.Name, v.Name)
		}
		seen[d.Name] = true
	}
	return nil
}

// Vendors returns the vendors in the order in which they were given.
func (s *Set) Vendors() []Vendor { return append([]Vendor(nil), s.opt.Vendors...) }

// Names returns the vendors' names, sorted.
func (s *Set) Names() []string {
	names := make([]string, 0, len(s.byName))
	for name := range s.byName {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Vendor returns one vendor by name.
func (s *Set) Vendor(name string) (Vendor, bool) {
	v, ok := s.byName[name]
	return v, ok
}

// Check is the preflight: it resolves the settings of a vendor and opens it,
// without any request. Errors name the parameter and the variable.
func (s *Set) Check(vendor string, params map[string]any) error {
	_, _, err := s.open(vendor, params)
	return err
}

// CheckEmbed is the preflight of a job: [Set.Check], and the model and the
// vector length where the vendor knows them without a request. An empty model
// stands for the vendor's default, 0 dimensions for any.
func (s *Set) CheckEmbed(vendor string, params map[string]any, model string, dimensions int) error {
	p, v, err := s.open(vendor, params)
	if err != nil {
		return err
	}
	if c, ok := p.(EmbedChecker); ok {
		if model == "" {
			model = v.EmbedModel
		}
		return c.CheckEmbed(model, dimensions)
	}
	return nil
}

// Address returns the base address that a vendor with these settings sends
// its requests to; empty for one that runs in process. Two jobs with the same
// vendor, address, model, dimensions and texts ask the same question.
func (s *Set) Address(vendor string, params map[string]any) (string, error) {
	p, _, err := s.open(vendor, params)
	if err != nil {
		return "", err
	}
	return p.Address(), nil
}

// open resolves the settings of a vendor and opens it.
func (s *Set) open(name string, params map[string]any) (Provider, Vendor, error) {
	v, err := s.lookupVendor(name)
	if err != nil {
		return nil, Vendor{}, err
	}
	settings, err := Resolve(v, params, s.opt.Lookup)
	if err != nil {
		return nil, Vendor{}, err
	}
	if s.opt.Redactor != nil {
		for _, secret := range settings.secrets() {
			s.opt.Redactor.Add(secret)
		}
	}
	p, err := v.Open(settings, Runtime{
		Vendor:            v.Name,
		Client:            s.opt.Client,
		Clock:             s.opt.Clock,
		Redactor:          s.opt.Redactor,
		AllowInsecureHTTP: s.opt.AllowInsecureHTTP,
	})
	return p, v, err
}

func (s *Set) lookupVendor(name string) (Vendor, error) {
	v, ok := s.byName[name]
	if ok {
		return v, nil
	}
	if name == "" {
		return v, configError("no provider is named: set provider to one of %s", quoted(s.Names()))
	}
	return v, configError("provider %q is not known, allowed are %s", name, strings.TrimSpace(quoted(s.Names())))
}
