package providers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/transport"
)

// sampleVendor has a setting of every kind.
func sampleVendor() Vendor {
	return Vendor{
		Name: "sample",
		Settings: []Setting{
			{Name: "key", Env: "S_KEY", Kind: SecretSetting, Help: "h", Required: true},
			{Name: "base", Env: "S_BASE", Kind: AddressSetting, Default: "https://default.test/v1", Help: "h"},
			{Name: "region", Env: "S_REGION", Kind: TextSetting, Help: "h"},
			{Name: "style", Env: "S_STYLE", Kind: ChoiceSetting, Choices: []string{"a", "b"}, Default: "a", Help: "h"},
			{Name: "headers", Kind: SecretHeadersSetting, Help: "h"},
		},
		Open: func(Settings, Runtime) (Provider, error) { return nil, nil },
	}
}

type variable struct {
	value string
	from  Source
}

func lookupIn(vars map[string]variable) Lookup {
	return func(name string) (string, Source, bool) {
		v, ok := vars[name]
		return v.value, v.from, ok
	}
}

func TestResolve(t *testing.T) {
	secret := transport.NewSecret("flow-secret-value")
	for _, c := range []struct {
		name   string
		params map[string]any
		vars   map[string]variable
		want   string // key base region style
		from   map[string]Source
		err    []string
	}{
		{"defaults", map[string]any{"key": secret}, nil, "flow-secret-value https://default.test/v1  a", map[string]Source{"base": FromDefault, "key": FromFlow, "region": 0}, nil},
		{"the flow wins over the environment", map[string]any{"key": "k1", "base": "http://flow.test", "region": "r1", "style": "b"},
			map[string]variable{"S_KEY": {"k2", FromEnvironment}, "S_BASE": {"http://env.test", FromFlag}, "S_REGION": {"r2", FromEnvironment}, "S_STYLE": {"a", FromEnvironment}},
			"k1 http://flow.test r1 b", map[string]Source{"base": FromFlow, "region": FromFlow}, nil},
		{"the environment wins over the default", nil,
			map[string]variable{"S_KEY": {"k2", FromEnvironment}, "S_BASE": {"http://env.test", FromDotenv}, "S_STYLE": {"b", FromFlag}},
			"k2 http://env.test  b", map[string]Source{"base": FromDotenv, "style": FromFlag, "key": FromEnvironment}, nil},
		{"a variable set to nothing counts as not set", map[string]any{"key": "k"}, map[string]variable{"S_BASE": {"", FromEnvironment}}, "k https://default.test/v1  a", map[string]Source{"base": FromDefault}, nil},
		{"nil is not given", map[string]any{"key": nil, "region": nil}, map[string]variable{"S_KEY": {"k2", FromEnvironment}}, "k2 https://default.test/v1  a", nil, nil},
		{"empty text hides the variable", map[string]any{"key": "k", "region": ""}, map[string]variable{"S_REGION": {"r2", FromEnvironment}}, "k https://default.test/v1  a", map[string]Source{"region": FromFlow}, nil},
		{"undeclared parameters are not ours", map[string]any{"key": "k", "other": 5}, nil, "k https://default.test/v1  a", nil, nil},
		{"required and missing", nil, nil, "", nil, []string{`provider "sample"`, "parameter key", "variable S_KEY"}},
		{"required and empty", map[string]any{"key": ""}, map[string]variable{"S_KEY": {"k2", FromEnvironment}}, "", nil, []string{"parameter key", "S_KEY"}},
		{"wrong type", map[string]any{"key": 5}, nil, "", nil, []string{"parameter key", "int", "string"}},
		{"empty address", map[string]any{"key": "k", "base": ""}, nil, "", nil, []string{"base", "empty"}},
		{"secret where text belongs", map[string]any{"key": "k", "region": secret}, nil, "", nil, []string{"region", "plain text"}},
		{"no such choice", map[string]any{"key": "k", "style": "c"}, nil, "", nil, []string{`"c"`, `"a", "b"`, "style"}},
		{"no such choice in a variable", map[string]any{"key": "k"}, map[string]variable{"S_STYLE": {"c", FromEnvironment}}, "", nil, []string{"S_STYLE", `"c"`, `"a", "b"`}},
		{"headers as text", map[string]any{"key": "k", "headers": "a: b"}, nil, "", nil, []string{"headers", "object"}},
		{"header of a wrong type", map[string]any{"key": "k", "headers": map[string]any{"A": 1}}, nil, "", nil, []string{`"A"`, "int"}},
		{"header twice", map[string]any{"key": "k", "headers": map[string]any{"Api-Key": "1", "B": "2", "api-key": "3"}}, nil, "", nil, []string{"twice"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Resolve(sampleVendor(), c.params, lookupIn(c.vars))
			if c.err != nil {
				e := asError(err)
				if e == nil || e.Kind != KindConfig {
					t.Fatalf("error %v", err)
				}
				for _, part := range c.err {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("error %q does not say %q", err, part)
					}
				}
				if strings.Contains(err.Error(), "flow-secret-value") {
					t.Errorf("error shows the secret: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%s %s %s %s", s.Secret("key").Reveal(), s.Text("base"), s.Text("region"), s.Text("style")); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for name, from := range c.from {
				if s.From(name) != from {
					t.Errorf("%s comes from %v, want %v", name, s.From(name), from)
				}
			}
		})
	}
	if _, err := Resolve(sampleVendor(), map[string]any{"key": "k"}, nil); err != nil {
		t.Errorf("without a lookup: %v", err)
	}
}

func TestHeaders(t *testing.T) {
	for _, p := range []any{
		map[string]any{"b": "2", "A": transport.NewSecret("1")},
		map[string]string{"b": "2", "A": "1"},
		map[string]transport.Secret{"b": transport.NewSecret("2"), "A": transport.NewSecret("1")},
	} {
		s, err := Resolve(sampleVendor(), map[string]any{"key": "k", "headers": p}, nil)
		if err != nil {
			t.Fatal(err)
		}
		h := s.Headers("headers")
		if len(h) != 2 || h[0].Name != "A" || h[0].Value.Reveal() != "1" || h[1].Name != "b" || h[1].Value.Reveal() != "2" {
			t.Errorf("headers %v", h)
		}
	}
}

// TestFoundAddress covers the rule on an address from a ./.env that was picked
// up unasked: each source of the address against each of the credential.
func TestFoundAddress(t *testing.T) {
	all := []Source{FromFlow, FromFlag, FromEnvironment, FromDotenv, FromFoundDotenv}
	for _, addr := range append(all, FromDefault) {
		for _, cred := range all {
			for _, kind := range []string{"key", "headers"} {
				if kind == "headers" && cred != FromFlow {
					continue // headers come from the flow only
				}
				vars := map[string]variable{}
				params := map[string]any{}
				switch addr {
				case FromDefault:
				case FromFlow:
					params["base"] = "http://a.test"
				default:
					vars["S_BASE"] = variable{"http://a.test", addr}
				}
				vendor := sampleVendor()
				switch {
				case kind == "headers":
					vendor.Settings[0].Required = false
					params["headers"] = map[string]any{"Api-Key": "credential"}
				case cred == FromFlow:
					params["key"] = "credential"
				default:
					vars["S_KEY"] = variable{"credential", cred}
				}
				_, err := Resolve(vendor, params, lookupIn(vars))
				refused := addr == FromFoundDotenv && cred < FromFoundDotenv
				if (err != nil) != refused {
					t.Errorf("address from %v, %s from %v: %v", addr, kind, cred, err)
					continue
				}
				if !refused {
					continue
				}
				name := "S_KEY"
				if cred == FromFlow {
					name = kind
				}
				for _, part := range []string{"S_BASE", name, cred.String(), "set S_BASE in the environment", "--dotenv .env"} {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("error %q does not say %q", err, part)
					}
				}
				if strings.Contains(err.Error(), "a.test") || strings.Contains(err.Error(), "=credential") {
					t.Errorf("error shows a value: %v", err)
				}
			}
		}
	}
	t.Run("an address alone", func(t *testing.T) {
		v := sampleVendor()
		v.Settings[0].Required = false
		if _, err := Resolve(v, nil, lookupIn(map[string]variable{"S_BASE": {"http://a.test", FromFoundDotenv}})); err != nil {
			t.Error(err)
		}
	})
}

func TestSettingsMisuse(t *testing.T) {
	s, err := Resolve(sampleVendor(), map[string]any{"key": "k"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(){
		"undeclared": func() { s.Text("nope") }, "secret as text": func() { s.Text("key") }, "text as secret": func() { s.Secret("region") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			read()
		}()
	}
}

func TestSet(t *testing.T) {
	client, err := transport.New(transport.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	var redactor transport.Redactor
	opened := 0
	v := sampleVendor()
	v.Open = func(s Settings, rt Runtime) (Provider, error) {
		opened++
		if rt.Vendor != "sample" || rt.Client != client || rt.Clock == nil {
			t.Errorf("runtime %+v", rt)
		}
		return addressOnly(s.Text("base")), nil
	}
	set, err := NewSet(SetOptions{Vendors: []Vendor{v, {Name: "another", Open: v.Open}}, Client: client, Redactor: &redactor,
		Lookup: lookupIn(map[string]variable{"S_KEY": {"environment-key", FromEnvironment}})})
	if err != nil {
		t.Fatal(err)
	}
	if names := set.Names(); len(names) != 2 || names[0] != "another" || set.Vendors()[0].Name != "sample" {
		t.Errorf("names %v", names)
	}
	if err := set.Check("sample", map[string]any{"headers": map[string]any{"X": "header-secret"}}); err != nil || opened != 1 {
		t.Errorf("check: %v, opened %d times", err, opened)
	}
	if got := redactor.Redact("a environment-key b header-secret c"); strings.Contains(got, "environment-key") || strings.Contains(got, "header-secret") {
		t.Errorf("the redactor does not know the secrets: %s", got)
	}
	if a, err := set.Address("sample", nil); err != nil || a != "https://default.test/v1" {
		t.Errorf("address %q, %v", a, err)
	}
	if err := set.Check("nobody", nil); err == nil || !strings.Contains(err.Error(), `"another", "sample"`) {
		t.Errorf("unknown vendor: %v", err)
	}
	if _, err := set.Embed(context.Background(), EmbedJob{Provider: "sample", Texts: []string{"a"}}); err == nil || !strings.Contains(err.Error(), "cannot embed") {
		t.Errorf("a vendor without the ability: %v", err)
	}
	if _, ok := set.Vendor("another"); !ok {
		t.Error("vendor not found")
	}
	for name, o := range map[string]SetOptions{
		"no client":       {},
		"listed twice":    {Client: client, Vendors: []Vendor{v, v}},
		"no name":         {Client: client, Vendors: []Vendor{{Open: v.Open}}},
		"no open":         {Client: client, Vendors: []Vendor{{Name: "x"}}},
		"setting twice":   {Client: client, Vendors: []Vendor{{Name: "x", Open: v.Open, Settings: []Setting{{Name: "a", Help: "h"}, {Name: "a", Help: "h"}}}}},
		"no help":         {Client: client, Vendors: []Vendor{{Name: "x", Open: v.Open, Settings: []Setting{{Name: "a"}}}}},
		"choice of none":  {Client: client, Vendors: []Vendor{{Name: "x", Open: v.Open, Settings: []Setting{{Name: "a", Help: "h", Kind: ChoiceSetting}}}}},
		"negative values": {Client: client, Limits: Limits{MaxEmbeddingValues: -1}},
	} {
		if _, err := NewSet(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type addressOnly string

func (a addressOnly) Address() string { return string(a) }
