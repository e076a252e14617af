package providers

import "fmt"

// Source says where the value of a setting came from, strongest first: a
// smaller Source wins over a greater one.
type Source int

const (
	// FromFlow is a parameter written in the flow file.
	FromFlow Source = iota + 1
	// FromFlag is a command-line flag.
	FromFlag
	// FromEnvironment is a variable of the process environment.
	FromEnvironment
	// FromDotenv is a dotenv file that the operator named.
	FromDotenv
	// FromFoundDotenv is a ./.env that was picked up unasked. An address from
	// there never meets a credential from a stronger source.
	FromFoundDotenv
	// FromDefault is the default that the vendor declares.
	FromDefault
)

// String returns the source in words, for error texts.
func (s Source) String() string {
	switch s {
	case FromFlow:
		return "the flow"
	case FromFlag:
		return "a flag"
	case FromEnvironment:
		return "the environment"
	case FromDotenv:
		return "the file named with --dotenv"
	case FromFoundDotenv:
		return "./.env"
	case FromDefault:
		return "the default"
	}
	return fmt.Sprintf("source %d", int(s))
}

// Lookup finds a variable by name. The command supplies it; it is the only
// door to the environment. ok is false when the variable is not set anywhere.
type Lookup func(name string) (value string, from Source, ok bool)

// SettingKind says what a setting holds, and with that how it is parsed,
// masked and checked.
type SettingKind int

const (
	// TextSetting is plain text that may be shown.
	TextSetting SettingKind = iota
	// SecretSetting is a credential: never shown, removed from all output.
	SecretSetting
	// AddressSetting is the address of a server, subject to the rule that an
	// address from a found ./.env meets no credential from elsewhere.
	AddressSetting
	// SecretHeadersSetting is an object of header names to values, all secret.
	SecretHeadersSetting
	// ChoiceSetting is one of Setting.Choices.
	ChoiceSetting
)

// String names the kind as documentation prints it.
func (k SettingKind) String() string {
	switch k {
	case TextSetting:
		return "text"
	case SecretSetting:
		return "secret"
	case AddressSetting:
		return "address"
	case SecretHeadersSetting:
		return "secret headers"
	case ChoiceSetting:
		return "choice"
	}
	return fmt.Sprintf("kind %d", int(k))
}

// Setting declares one setting of a vendor. Nodes turn it into a parameter of
// the same name; Env, when not empty, is the variable that supplies the value
// when the flow gives none.
type Setting struct {
	Name     string
	Env      string
	Kind     SettingKind
	Choices  []string // the allowed values of a ChoiceSetting
	Default  string   // empty: none
	Help     string   // one line
	Required bool     // Resolve fails when no source has a value
}

// Vendor is one kind of provider: its name, its settings and how to open it.
type Vendor struct {
	Name     string
	Summary  string // one line
	Settings []Setting
	// SendsEncodingFormat says that EmbedRequest.EncodingFormat reaches the
	// server; elsewhere it has no effect.
	SendsEncodingFormat bool
	// Chats says that the vendor has models that chat: what Open returns is
	// then a [Chatter].
	Chats bool
	// EmbedModel and ChatModel are the models used when the caller names none.
	// Empty means that the caller must name one.
	EmbedModel string
	ChatModel  string
	// Open checks the settings and returns the provider. It makes no request.
	Open func(Settings, Runtime) (Provider, error)
}

// setting returns the declaration with that name.
func (v Vendor) setting(name string) (Setting, bool) {
	for _, s := range v.Settings {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}
