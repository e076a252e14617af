package strlib

import (
	"context"
	"strings"
	"testing"
	"time"

	glua "github.com/yuin/gopher-lua"
)

// run runs src and returns its first result and error.
func run(t testing.TB, l Lib, src string) (string, error) {
	t.Helper()
	return runIn(newState(t, l), src)
}

func runIn(L *glua.LState, src string) (string, error) {
	top := L.GetTop()
	if err := L.DoString(src); err != nil {
		return "", err
	}
	defer L.SetTop(top)
	return L.Get(top + 1).String(), nil
}

// Ten megabytes of words and blanks through gsub, and results that grow from
// every match: far below the quadratic time of the stock functions.
func TestLinearTime(t *testing.T) {
	L := newState(t, Lib{MaxBytes: 64 << 20})
	L.SetGlobal("big", glua.LString(strings.Repeat("word  two \n", 1<<20)))
	L.SetGlobal("s", glua.LString(strings.Repeat("word  two \n", 1<<17)))
	for _, src := range []string{
		`return #big:gsub("%s+", " ")`,
		`return #s:gsub("w", "vv")`,
		`local n = 0 for w in s:gmatch("%a+") do n = n + 1 end return n`,
		`return select(2, s:gsub("zzz", ""))`,
		`local t = {} for i = 1, 200000 do t[i] = "item" end return #table.concat(t, ", ")`,
	} {
		start := time.Now()
		if _, err := runIn(L, src); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		// Generous for -race on a busy machine; quadratic work takes hours.
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s took %v", src, d)
		}
	}
}

func BenchmarkGsubBlanks10MB(b *testing.B) {
	L := newState(b, Lib{})
	L.SetGlobal("s", glua.LString(strings.Repeat("word  two ", 1<<20)))
	b.SetBytes(10 << 20)
	for b.Loop() {
		if _, err := runIn(L, `return #s:gsub("%s+", " ")`); err != nil {
			b.Fatal(err)
		}
	}
}

// Each of these would run for minutes; the context ends them.
func TestContextEndsMatcher(t *testing.T) {
	for _, src := range []string{
		`return s:match(".-b")`,
		`return s:find("a*a*a*a*a*a*b")`,
		`return s:gsub("a-b", "")`,
		`for x in s:gmatch("(a*)*b") do end`,
		`return s:match(("a?"):rep(30) .. ("a"):rep(60) .. "b")`,
		`return ("("):rep(300000):gsub("%b()", "")`,
		`return s:match("(.-)%1b")`,
	} {
		L := newState(t, Lib{})
		L.SetGlobal("s", glua.LString(strings.Repeat("a", 300_000)))
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		L.SetContext(ctx)
		start := time.Now()
		_, err := runIn(L, src)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: went on for %v", src, d)
		}
		if err == nil || !strings.Contains(err.Error(), "deadline exceeded") {
			t.Errorf("%s: error %v, want the deadline", src, err)
		}
		cancel()
	}
}

func TestStringLimit(t *testing.T) {
	l := Lib{MaxBytes: 1000}
	for _, src := range []string{
		`return ("x"):rep(1001)`, `return ("x"):rep(2^40)`, `return ("xyz"):rep(2^53)`,
		`return s:gsub(".", "xx")`, `return s:gsub(".", function() return s end)`, `return s:gsub(".", {x = s})`,
		`return s:gsub("x", "%0%0", 600)`,
		`return ("%s%s"):format(s, s)`, `return table.concat({s, s})`, `return table.concat({"a", "b", "c"}, s)`,
		`return (s .. s):upper()`, `return (s .. s):lower()`, `return (s .. s):reverse()`,
		`return ("ȿ"):rep(500):upper()`, // two bytes become three
	} {
		_, err := run(t, l, "local s = ('x'):rep(900) "+src)
		if err == nil || !strings.Contains(err.Error(), "IRONFLOW_LUA_MAX_STRING_BYTES") {
			t.Errorf("%s: error %v, want the limit", src, err)
		}
	}
	for _, src := range []string{
		`return ("x"):rep(1000)`, `return table.concat({("x"):rep(500), ("x"):rep(500)})`, `return ("%s"):format(("x"):rep(1000))`,
		`return ("x"):rep(1000):gsub("x", "y")`, `return ("x"):rep(1000):upper()`,
	} {
		if _, err := run(t, l, src); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	if _, err := run(t, Lib{}, `return ("x"):rep(5000)`); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

func TestDepthIsBounded(t *testing.T) {
	for _, src := range []string{
		`return ("a"):rep(5000):match(("a?"):rep(5000))`,
		`return ("a"):match(("a*"):rep(100000))`,
	} {
		if _, err := run(t, Lib{}, src); err == nil || !strings.Contains(err.Error(), "pattern too complex") {
			t.Errorf("%s: error %v, want a bounded depth", src, err)
		}
	}
	// Depth counts nested items, not the length of what one item matches.
	got, err := run(t, Lib{}, `return #("a"):rep(1000000):match("^(a*)$")`)
	if err != nil || got != "1000000" {
		t.Errorf("long match: %s, %v", got, err)
	}
	// Patterns too long for the class cache.
	got, err = run(t, Lib{}, `local p = ("[ab]"):rep(3000) .. "x-" return #(("ab"):rep(1500) .. "xx"):match("^" .. p .. "$")`)
	if err != nil || got != "3002" {
		t.Errorf("long pattern: %s, %v", got, err)
	}
}

func TestOurExtensions(t *testing.T) {
	for src, want := range map[string]string{
		`return ("%s %s %5s|"):format(true, nil, setmetatable({}, {__tostring = function() return "T" end}))`: "true nil     T|",
		`return ("a\0b"):find("\0")`:                               "2",
		`return #("%s"):format("a\0b")`:                            "3",
		`return #("%c"):format(0)`:                                 "1",
		`return ("Straße ÉCOLE"):lower()`:                          "straße école",
		`return ("straße école"):upper()`:                          "STRAßE ÉCOLE",
		`return ("\255abc"):upper()`:                               "\xffABC",
		`return ("\255ABC"):lower()`:                               "\xffabc",
		`return ("12345678901234567"):gsub("", 12345678901234, 1)`: "1234567890123412345678901234567",
		`return table.concat({12345678901234567})`:                 "12345678901234568",
	} {
		got, err := run(t, Lib{}, src)
		if err != nil || got != want {
			t.Errorf("%s = %q, %v, want %q", src, got, err, want)
		}
	}
}

// Results computed with the Lua 5.3 manual's rules.
func TestUTF8(t *testing.T) {
	for src, want := range map[string]string{
		`return utf8.len("")`:                                       "0",
		`return utf8.len("aé漢𝄞")`:                                   "4",
		`return utf8.len("aé漢𝄞", 2)`:                                "3",
		`return utf8.len("aé漢𝄞", 2, 3)`:                             "1",
		`return utf8.len("aé漢𝄞", -4)`:                               "1",
		`return tostring(utf8.len("a\255b"))`:                       "nil",
		`return select(2, utf8.len("a\255b"))`:                      "2",
		`return select(2, utf8.len("é", 2))`:                        "2",
		`return select(2, utf8.len("\237\160\128"))`:                "1", // a surrogate
		`return utf8.char(97, 233, 28450, 119070)`:                  "aé漢𝄞",
		`return utf8.char()`:                                        "",
		`return table.concat({utf8.codepoint("aé漢𝄞", 1, -1)}, " ")`: "97 233 28450 119070",
		`return utf8.codepoint("é")`:                                "233",
		`local t = {} for p, c in utf8.codes("aé漢𝄞") do t[#t+1] = p .. ":" .. c end return table.concat(t, " ")`:                       "1:97 2:233 4:28450 7:119070",
		`local n = 0 for p, c in utf8.codes("") do n = n + 1 end return n`:                                                             "0",
		`local t = {} for c in ("aé漢𝄞"):gmatch("` + `[\0-\127\194-\244][\128-\191]*") do t[#t+1] = #c end return table.concat(t, " ")`: "1 2 3 4",
	} {
		got, err := run(t, Lib{}, src)
		if err != nil || got != want {
			t.Errorf("%s = %q, %v, want %q", src, got, err, want)
		}
	}
	for src, want := range map[string]string{
		`return utf8.codepoint("\255")`:        "invalid UTF-8 code at byte 1",
		`for p in utf8.codes("ab\128") do end`: "invalid UTF-8 code at byte 3",
		`return utf8.char(1114112)`:            "not a Unicode character",
		`return utf8.char(-1)`:                 "not a Unicode character",
		`return utf8.char(55296)`:              "not a Unicode character",
		`return utf8.char(1.5)`:                "not a Unicode character",
		`return utf8.len("abc", 5)`:            "out of string",
		`return utf8.codepoint("abc", 1, 4)`:   "out of range",
	} {
		if _, err := run(t, Lib{}, src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", src, err, want)
		}
	}
}

// A pattern never panics or hangs, and find, match, gmatch and gsub agree.
func FuzzMatcher(f *testing.F) {
	for _, p := range []string{"", "a", "%w+", "(a)(b)", "^a$", "%b()", "%f[%w]", "[^a-z]", "(.-)%1", "()", "[]]", "%", "a*b-c?"} {
		f.Add("abc (x) abab", p, 1)
	}
	L := glua.NewState()
	l := Lib{MaxBytes: 1 << 16}
	for name, fn := range l.Strings() {
		L.SetGlobal(name, L.NewFunction(fn))
	}
	call := func(name string, args ...glua.LValue) ([]glua.LValue, error) {
		top := L.GetTop()
		defer L.SetTop(top)
		err := L.CallByParam(glua.P{Fn: L.GetGlobal(name), NRet: glua.MultRet, Protect: true}, args...)
		var out []glua.LValue
		for i := top + 1; err == nil && i <= L.GetTop(); i++ {
			out = append(out, L.Get(i))
		}
		if api, ok := err.(*glua.ApiError); ok && api.Type == glua.ApiErrorPanic {
			f.Errorf("%s(%q) panicked: %v", name, args, err)
		}
		return out, err
	}
	f.Fuzz(func(t *testing.T, s, p string, init int) {
		if len(s) > 200 || len(p) > 40 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		L.SetContext(ctx)
		ls, lp, li := glua.LString(s), glua.LString(p), glua.LNumber(init)
		found, err := call("find", ls, lp, li)
		matched, err2 := call("match", ls, lp, li)
		if ctx.Err() != nil {
			return
		}
		special := strings.ContainsAny(p, specials)
		if special && (err == nil) != (err2 == nil) {
			t.Fatalf("find: %v, match: %v", err, err2)
		}
		if !special || err != nil {
			return
		}
		if found[0] == glua.LNil {
			if matched[0] != glua.LNil {
				t.Fatalf("find nil, match %v", matched)
			}
			return
		}
		start, end := int(found[0].(glua.LNumber)), int(found[1].(glua.LNumber))
		if start < 1 || end < start-1 || end > len(s) {
			t.Fatalf("find gives %d..%d of %d", start, end, len(s))
		}
		if len(found) == 2 {
			if string(matched[0].(glua.LString)) != s[start-1:end] {
				t.Fatalf("find %d..%d, match %q", start, end, matched[0])
			}
		} else {
			for i := range matched {
				if matched[i] != found[i+2] {
					t.Fatalf("captures differ: %v %v", found, matched)
				}
			}
		}
		same, err := call("gsub", ls, lp, glua.LString("%0"))
		if err == nil && ctx.Err() == nil && string(same[0].(glua.LString)) != s {
			t.Fatalf("gsub with %%0 changed %q to %q", s, same[0])
		}
	})
}

// string.format never panics, whatever the verbs.
func FuzzFormat(f *testing.F) {
	f.Add("%5.2f %s", 1.5)
	f.Add("%-+#05.3x%q%c", -3.0)
	L := glua.NewState()
	fn := L.NewFunction(Lib{MaxBytes: 1 << 16}.format)
	f.Fuzz(func(t *testing.T, format string, n float64) {
		top := L.GetTop()
		defer L.SetTop(top)
		err := L.CallByParam(glua.P{Fn: fn, NRet: 1, Protect: true}, glua.LString(format), glua.LNumber(n), glua.LNumber(n), glua.LString("x"))
		if api, ok := err.(*glua.ApiError); ok && api.Type == glua.ApiErrorPanic {
			t.Fatal(err)
		}
	})
}
