package providers

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/ironflow/ironflow/transport"
)

// BaseURL parses an address setting as the base of an API: http or https, a
// host, an optional port and path, nothing else. The error names the setting
// and where its value came from, but not the value, which may hold a password.
func BaseURL(s Settings, name string) (*url.URL, error) {
	u, err := transport.ParseBaseURL(s.Text(name))
	if err != nil {
		return nil, AddressError(s, name, err)
	}
	return u, nil
}

// AddressError is the error for an address setting that cannot be used; why
// must be safe to print, as the errors of package transport are.
func AddressError(s Settings, name string, why error) error {
	d, _ := s.vendor.setting(name)
	place := "parameter " + name
	switch from := s.From(name); {
	case from == FromDefault:
		place = "the default of " + name
	case from != FromFlow && d.Env != "":
		place = fmt.Sprintf("the variable %s (from %s)", d.Env, from)
	}
	return &Error{Kind: KindConfig, Err: why, Detail: fmt.Sprintf("provider %q: %s: %v", s.vendor.Name, place, why)}
}

// CheckCredentials tries the credentials on a request that is never sent, and
// refuses to send them in clear text to a public address.
func (e *Endpoint) CheckCredentials() error {
	if e.Authorize == nil {
		return nil
	}
	req := &http.Request{Method: http.MethodPost, URL: e.Base, Header: http.Header{}}
	if err := e.Authorize(req); err != nil {
		return e.configError(err)
	}
	if len(req.Header) == 0 {
		return nil
	}
	if err := transport.CheckCredentialURL(e.Base, e.AllowInsecureHTTP); err != nil {
		return e.configError(err)
	}
	return nil
}

func (e *Endpoint) configError(why error) error {
	return &Error{Kind: KindConfig, Provider: e.Vendor, Detail: why.Error(), Err: why}
}
