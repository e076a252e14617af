package app

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// settingKind says how a setting is parsed and what a dotenv file may do to it.
type settingKind int

const (
	// limit is a whole number that bounds something. A dotenv file may lower
	// it, never raise it.
	limit settingKind = iota
	// choice is a number that loosens nothing; a dotenv file may set it.
	choice
	// loosen is a switch that weakens the policy when true; never from dotenv.
	loosen
	// tighten is a switch that strengthens the policy when true; a dotenv file
	// may only switch it on.
	tighten
	// grant gives rights; never from dotenv.
	grant
	// restrict takes rights away; a dotenv file may set it where the
	// environment does not.
	restrict
	// proxy decides where requests go; never from dotenv.
	proxy
)

// setting declares one variable of the command: the only place where its
// name, unit, default and range stand.
type setting struct {
	Name string
	Kind settingKind
	Unit string
	// Default, Min and Max are for numbers.
	Default, Min, Max int64
	// Zero says what 0 means; empty when 0 is outside the range.
	Zero string
	// DefaultText describes a default that is no number.
	DefaultText string
	Flag        string // the flag that wins over it
	Help        string
}

const (
	setHTTPBody      = "IRONFLOW_MAX_HTTP_BODY_BYTES"
	setEmbedValues   = "IRONFLOW_MAX_EMBEDDING_VALUES"
	setFileBytes     = "IRONFLOW_MAX_FILE_BYTES"
	setTasks         = "IRONFLOW_MAX_CONCURRENT_TASKS"
	setRunSeconds    = "IRONFLOW_MAX_RUN_SECONDS"
	setLuaSeconds    = "IRONFLOW_LUA_MAX_SECONDS"
	setLuaString     = "IRONFLOW_LUA_MAX_STRING_BYTES"
	setLuaMemory     = "IRONFLOW_LUA_MAX_MEMORY_BYTES"
	setConvDepth     = "IRONFLOW_MAX_CONVERSION_DEPTH"
	setConvNodes     = "IRONFLOW_MAX_CONVERSION_NODES"
	setSourceBytes   = "IRONFLOW_MAX_FLOW_SOURCE_BYTES"
	setEnvAllowlist  = "IRONFLOW_ENV_ALLOWLIST"
	setInsecureHTTP  = "IRONFLOW_ALLOW_INSECURE_HTTP"
	setBlockPrivate  = "IRONFLOW_BLOCK_PRIVATE_NETWORK"
	setAllowExec     = "IRONFLOW_ALLOW_EXEC"
	setHTTPProxy     = "HTTP_PROXY"
	setHTTPSProxy    = "HTTPS_PROXY"
	setNoProxy       = "NO_PROXY"
	maxLimit         = math.MaxInt64
	maxSecondsLimit  = 365 * 24 * 3600
	maxMemoryOfAList = 1 << 40
)

// settingsTable lists every variable that the command itself reads. Those of
// the providers are declared by the vendors.
func settingsTable() []setting {
	return []setting{
		{Name: setTasks, Kind: choice, Unit: "steps", Min: 1, Max: 10000, DefaultText: "the greater of 8 and the number of processors",
			Flag: "--max-concurrency", Help: "steps of one run that work at the same time"},
		{Name: setRunSeconds, Kind: limit, Unit: "s", Default: 0, Min: 0, Max: maxSecondsLimit, Zero: "no limit",
			Help: "wall clock of one run; the run is cancelled when it is over"},
		{Name: setHTTPBody, Kind: limit, Unit: "bytes", Default: 52428800, Min: 1, Max: maxLimit,
			Help: "largest HTTP response body, after decompression"},
		{Name: setEmbedValues, Kind: limit, Unit: "numbers", Default: 16777216, Min: 1, Max: maxMemoryOfAList,
			Help: "most numbers (texts times dimension) that one embedding step may return"},
		{Name: setFileBytes, Kind: limit, Unit: "bytes", Default: 52428800, Min: 1, Max: maxMemoryOfAList,
			Help: "largest file that read_file and --set-file read"},
		{Name: setLuaSeconds, Kind: limit, Unit: "s", Default: 10, Min: 0, Max: maxSecondsLimit, Zero: "no limit",
			Help: "wall clock of one load of a flow, and of one run of a handler"},
		{Name: setLuaString, Kind: limit, Unit: "bytes", Default: 67108864, Min: 1024, Max: 1 << 34,
			Help: "largest string that a call of Lua's library may build"},
		{Name: setLuaMemory, Kind: limit, Unit: "bytes", Default: 2147483648, Min: 0, Max: maxMemoryOfAList, Zero: "no limit",
			Help: "size of the heap at which running handlers fail"},
		{Name: setConvDepth, Kind: limit, Unit: "levels", Default: 64, Min: 1, Max: 1000,
			Help: "deepest nesting of a value that passes between Lua and the context"},
		{Name: setConvNodes, Kind: limit, Unit: "values", Default: 20000000, Min: 1, Max: maxMemoryOfAList,
			Help: "most values (elements and members) that pass between Lua and the context at once"},
		{Name: setSourceBytes, Kind: limit, Unit: "bytes", Default: 1048576, Min: 1, Max: 1 << 30,
			Help: "size of a flow file, and of it and its modules together"},
		{Name: setEnvAllowlist, Kind: restrict, DefaultText: "every variable",
			Help: "comma list of the variables that env() shows to flows; set but empty shows none"},
		{Name: setAllowExec, Kind: grant, DefaultText: "none", Flag: "--allow-exec",
			Help: "comma list of the programs that flows may start; * means all"},
		{Name: setInsecureHTTP, Kind: loosen, DefaultText: "false",
			Help: "let credentials travel over plain http to public addresses (never to a token endpoint)"},
		{Name: setBlockPrivate, Kind: tighten, DefaultText: "false",
			Help: "refuse connections to loopback and private addresses too"},
		{Name: setHTTPProxy, Kind: proxy, DefaultText: "none", Help: "proxy for http requests (also in lower case)"},
		{Name: setHTTPSProxy, Kind: proxy, DefaultText: "none", Help: "proxy for https requests (also in lower case)"},
		{Name: setNoProxy, Kind: proxy, DefaultText: "none", Help: "hosts that no proxy is used for (also in lower case)"},
	}
}

func findSetting(name string) setting {
	for _, s := range settingsTable() {
		if s.Name == name {
			return s
		}
	}
	panic("setting " + name + " is not declared")
}

// parseNumber reads a plain positive decimal number: no sign, space, suffix or
// exponent, so that nobody is surprised by what "1e6" or "50MB" means.
func (s setting) parseNumber(text string) (int64, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, fmt.Errorf("%s is %q: want a whole number%s, %s", s.Name, text, s.unitText(), s.rangeText())
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < s.Min || n > s.Max {
		return 0, fmt.Errorf("%s is %q: allowed: %s%s", s.Name, text, s.rangeText(), s.unitText())
	}
	return n, nil
}

func (s setting) unitText() string {
	if s.Unit == "" {
		return ""
	}
	return " (" + s.Unit + ")"
}

func (s setting) rangeText() string {
	text := fmt.Sprintf("%d or more", s.Min)
	if s.Max < maxLimit {
		text = fmt.Sprintf("%d..%d", s.Min, s.Max)
	}
	if s.Zero != "" {
		text += ", 0 means " + s.Zero
	}
	return text
}

func (s setting) parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off", "":
		return false, nil
	}
	return false, fmt.Errorf("%s is %q: want true or false", s.Name, text)
}

// looser reports whether a limit of n allows more than the default.
func (s setting) looser(n int64) bool {
	if s.Kind != limit {
		return false
	}
	if s.Zero != "" && s.Default == 0 {
		return false // anything is tighter than no limit
	}
	return n > s.Default || (n == 0 && s.Zero != "")
}
