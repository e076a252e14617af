package providers

import (
	"fmt"
	"sort"
	"strings"

	"github.com/ironflow/ironflow/transport"
)

// Header is one secret request header.
type Header struct {
	Name  string
	Value transport.Secret
}

// Settings are the resolved settings of one vendor. Reading a setting that the
// vendor does not declare, or one of another kind, panics: that is a mistake
// in the program.
type Settings struct {
	vendor Vendor
	values map[string]settingValue
}

type settingValue struct {
	text    string           // text, address, choice
	secret  transport.Secret // secret
	headers []Header         // secret headers, sorted by name
	from    Source
}

// empty reports whether the value says "none".
func (v settingValue) empty() bool {
	return v.text == "" && v.secret.IsZero() && len(v.headers) == 0
}

// Text returns a text, choice or address; empty when no source has one.
func (s Settings) Text(name string) string {
	return s.get(name, TextSetting, ChoiceSetting, AddressSetting).text
}

// Secret returns a credential; its IsZero is true when no source has one.
func (s Settings) Secret(name string) transport.Secret {
	return s.get(name, SecretSetting).secret
}

// Headers returns secret headers, sorted by name.
func (s Settings) Headers(name string) []Header {
	return s.get(name, SecretHeadersSetting).headers
}

// From says where a setting's value came from; 0 when it has none.
func (s Settings) From(name string) Source { return s.values[name].from }

// secrets returns every secret value.
func (s Settings) secrets() []transport.Secret {
	var all []transport.Secret
	for _, v := range s.values {
		if !v.secret.IsZero() {
			all = append(all, v.secret)
		}
		for _, h := range v.headers {
			all = append(all, h.Value)
		}
	}
	return all
}

func (s Settings) get(name string, kinds ...SettingKind) settingValue {
	d, ok := s.vendor.setting(name)
	if !ok {
		panic(fmt.Sprintf("providers: %s declares no setting %q", s.vendor.Name, name))
	}
	for _, k := range kinds {
		if d.Kind == k {
			return s.values[name]
		}
	}
	panic(fmt.Sprintf("providers: setting %q of %s is a %s", name, s.vendor.Name, d.Kind))
}

// Resolve finds the value of each setting that v declares: the flow's
// parameter, else the variable, else the default. An absent or nil parameter
// is not given; one that is empty text means "none" and hides the variable; a
// variable set to nothing counts as not set. Parameters that v does not
// declare are the caller's to report and are ignored here. lookup may be nil.
//
// It fails when a required setting has no value, when a value has the wrong
// type or is no allowed choice, and when an address from a found ./.env would
// meet a credential from a stronger source. The error never holds a value of a
// secret.
func Resolve(v Vendor, params map[string]any, lookup Lookup) (Settings, error) {
	out := Settings{vendor: v, values: make(map[string]settingValue, len(v.Settings))}
	for _, d := range v.Settings {
		val, err := resolveOne(v.Name, d, params[d.Name], lookup)
		if err != nil {
			return Settings{}, err
		}
		if d.Required && val.empty() {
			return Settings{}, out.Missing(d.Name)
		}
		if val.from != 0 {
			out.values[d.Name] = val
		}
	}
	if err := checkFoundAddress(out); err != nil {
		return Settings{}, err
	}
	return out, nil
}

// Missing is the error for a setting that is needed and has no value. It names
// the parameter and the variable.
func (s Settings) Missing(name string) error {
	vendor := s.vendor.Name
	d, _ := s.vendor.setting(name)
	if d.Env == "" {
		return configError("provider %q needs %s: set the parameter %s", vendor, name, name)
	}
	return configError("provider %q needs %s: set the parameter %s or the variable %s", vendor, name, name, d.Env)
}

func resolveOne(vendor string, d Setting, param any, lookup Lookup) (settingValue, error) {
	if param != nil {
		return fromParam(vendor, d, param)
	}
	if d.Env != "" && lookup != nil {
		if text, from, ok := lookup(d.Env); ok && text != "" {
			return fromText(d, fmt.Sprintf("the variable %s", d.Env), text, from)
		}
	}
	if d.Default != "" {
		return fromText(d, "the default of "+d.Name, d.Default, FromDefault)
	}
	return settingValue{}, nil
}

// fromText makes a value from text; place names where it stood.
func fromText(d Setting, place, text string, from Source) (settingValue, error) {
	switch d.Kind {
	case SecretSetting:
		return settingValue{secret: transport.NewSecret(text), from: from}, nil
	case SecretHeadersSetting:
		return settingValue{}, configError("%s: headers cannot be given as text, write them in the flow as %s={Name=\"value\"}", place, d.Name)
	case ChoiceSetting:
		for _, c := range d.Choices {
			if c == text {
				return settingValue{text: text, from: from}, nil
			}
		}
		return settingValue{}, configError("%s is %q, allowed are %s", place, text, quoted(d.Choices))
	default:
		return settingValue{text: text, from: from}, nil
	}
}

func fromParam(vendor string, d Setting, param any) (settingValue, error) {
	place := fmt.Sprintf("parameter %s of provider %q", d.Name, vendor)
	if d.Kind == SecretHeadersSetting {
		headers, err := headersOf(place, param)
		return settingValue{headers: headers, from: FromFlow}, err
	}
	switch p := param.(type) {
	case string:
		if p == "" && d.Kind == AddressSetting {
			return settingValue{}, configError("%s is empty: give an address, or leave the parameter out", place)
		}
		if p == "" {
			return settingValue{from: FromFlow}, nil
		}
		return fromText(d, place, p, FromFlow)
	case transport.Secret:
		if d.Kind != SecretSetting {
			return settingValue{}, configError("%s is a secret, but is not treated as one: give plain text", place)
		}
		return settingValue{secret: p, from: FromFlow}, nil
	}
	return settingValue{}, configError("%s has the type %T, allowed is a string", place, param)
}

func headersOf(place string, param any) ([]Header, error) {
	var headers []Header
	switch p := param.(type) {
	case map[string]string:
		for name, v := range p {
			headers = append(headers, Header{name, transport.NewSecret(v)})
		}
	case map[string]transport.Secret:
		for name, v := range p {
			headers = append(headers, Header{name, v})
		}
	case map[string]any:
		for name, v := range p {
			switch v := v.(type) {
			case string:
				headers = append(headers, Header{name, transport.NewSecret(v)})
			case transport.Secret:
				headers = append(headers, Header{name, v})
			default:
				return nil, configError("%s: the value of %q has the type %T, allowed is a string", place, name, v)
			}
		}
	default:
		return nil, configError("%s has the type %T, allowed is an object of header names to strings", place, param)
	}
	sort.Slice(headers, func(i, j int) bool { return strings.ToLower(headers[i].Name) < strings.ToLower(headers[j].Name) })
	for i := 1; i < len(headers); i++ {
		if strings.EqualFold(headers[i-1].Name, headers[i].Name) {
			return nil, configError("%s names the header %q twice", place, headers[i].Name)
		}
	}
	return headers, nil
}

// checkFoundAddress refuses an address that was picked up unasked together
// with a credential that comes from somewhere the operator chose: a cloned
// folder must not be able to redirect a key.
func checkFoundAddress(s Settings) error {
	for _, addr := range s.vendor.Settings {
		if addr.Kind != AddressSetting || s.values[addr.Name].from != FromFoundDotenv {
			continue
		}
		for _, cred := range s.vendor.Settings {
			if cred.Kind != SecretSetting && cred.Kind != SecretHeadersSetting {
				continue
			}
			v := s.values[cred.Name]
			if v.empty() || v.from >= FromFoundDotenv {
				continue
			}
			return configError("provider %q: the address %s comes from ./.env, which was picked up unasked, but the credential %s comes from %s; "+
				"they are not used together: set %s in the environment, or name the file with --dotenv .env",
				s.vendor.Name, addr.Env, credentialName(cred, v.from), v.from, addr.Env)
		}
	}
	return nil
}

// credentialName is the name under which the user knows the credential.
func credentialName(d Setting, from Source) string {
	if from == FromFlow || d.Env == "" {
		return d.Name
	}
	return d.Env
}

func quoted(list []string) string {
	q := make([]string, len(list))
	for i, s := range list {
		q[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(q, ", ")
}
