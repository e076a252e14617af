package vm

import (
	"context"
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"
	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/convert"
	"github.com/ironflow/ironflow/nodes/value"
)

func (v *VM) logLine(L *glua.LState, level, text string) {
	ctx := L.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	v.eng.cfg.Log(ctx, level, text)
}

// hostLog is log([level,] ...): strings raw, null and nil by name, tables as
// JSON, joined by blanks.
func hostLog(v *VM, L *glua.LState) int {
	n := L.GetTop()
	if n == 0 {
		L.RaiseError("log needs at least one argument: log([level,] ...)")
	}
	level, first := "info", 1
	if s, ok := L.Get(1).(glua.LString); ok {
		switch l := strings.ToLower(string(s)); l {
		case "trace", "debug", "info", "warn", "error":
			level, first = l, 2
		}
	}
	parts := make([]string, 0, n)
	for i := first; i <= n; i++ {
		lv := L.Get(i)
		if lv.Type() != glua.LTTable {
			parts = append(parts, L.ToStringMeta(lv).String())
			continue
		}
		text, err := v.JSON(lv)
		if err != nil {
			v.Raise(L, err)
		}
		parts = append(parts, text)
	}
	v.logLine(L, level, strings.Join(parts, " "))
	return 0
}

func hostEnv(v *VM, L *glua.LState) int {
	if s, ok := v.eng.cfg.Env(L.CheckString(1)); ok {
		L.Push(glua.LString(s))
	} else {
		L.Push(glua.LNil)
	}
	return 1
}

func hostJSONParse(v *VM, L *glua.LState) int {
	val, err := value.ParseJSON(L.CheckString(1))
	if err == nil {
		var lv glua.LValue
		if lv, err = v.ToLua(val); err == nil {
			L.Push(lv)
			return 1
		}
	}
	v.Raise(L, &hostError{"json_parse: ", err})
	return 0
}

// hostError puts the name of the function in front of an error.
type hostError struct {
	prefix string
	err    error
}

func (e *hostError) Error() string { return e.prefix + e.err.Error() }
func (e *hostError) Unwrap() error { return e.err }

func hostJSONStringify(v *VM, L *glua.LState) int {
	text, err := v.JSON(L.CheckAny(1))
	if err != nil {
		v.Raise(L, &hostError{"json_stringify: ", err})
	}
	if limit := v.eng.limits.MaxStringBytes; limit > 0 && len(text) > limit {
		L.RaiseError("json_stringify: the result is longer than %d bytes (IRONFLOW_LUA_MAX_STRING_BYTES)", limit)
	}
	L.Push(glua.LString(text))
	return 1
}

// marker makes json_array and json_object: they mark a table, a new one
// without an argument, and return it.
func marker(name string, mark func(*Engine) *glua.LTable) Func {
	return func(v *VM, L *glua.LState) int {
		t := L.OptTable(1, nil)
		if t == nil {
			t = L.CreateTable(0, 0)
		}
		if old, ok := t.Metatable.(*glua.LTable); ok && !v.eng.codec.Hidden(old) {
			L.RaiseError("%s: the table has a metatable already", name)
		}
		if err := convert.CheckRead(t, nil); err != nil {
			v.Raise(L, err)
		}
		t.Metatable = mark(v.eng)
		L.Push(t)
		return 1
	}
}

func hostUUID(v *VM, L *glua.LState) int {
	id, err := uuid.NewRandom()
	if err != nil {
		v.Raise(L, &hostError{"uuid4: ", err})
	}
	L.Push(glua.LString(id.String()))
	return 1
}

// hostNow writes UTC with as many groups of three digits of the second as
// there are, such as 2026-01-02T03:04:05.250+00:00.
func hostNow(v *VM, L *glua.LState) int {
	now := v.eng.cfg.Now().UTC()
	fraction := ""
	switch ns := now.Nanosecond(); {
	case ns == 0:
	case ns%int(time.Millisecond) == 0:
		fraction = ".000"
	case ns%int(time.Microsecond) == 0:
		fraction = ".000000"
	default:
		fraction = ".000000000"
	}
	L.Push(glua.LString(now.Format("2006-01-02T15:04:05" + fraction + "-07:00")))
	return 1
}

func hostNowMS(v *VM, L *glua.LState) int {
	L.Push(glua.LNumber(v.eng.cfg.Now().UnixMilli()))
	return 1
}

func hostEncode(v *VM, L *glua.LState) int {
	s := L.CheckString(1)
	if limit := v.eng.limits.MaxStringBytes; limit > 0 && base64.StdEncoding.EncodedLen(len(s)) > limit {
		L.RaiseError("base64_encode: the result is longer than %d bytes (IRONFLOW_LUA_MAX_STRING_BYTES)", limit)
	}
	L.Push(glua.LString(base64.StdEncoding.EncodeToString([]byte(s))))
	return 1
}

// hostDecode takes the standard alphabet with padding and nothing else.
func hostDecode(v *VM, L *glua.LState) int {
	s := L.CheckString(1)
	var b []byte
	err := error(base64.CorruptInputError(max(strings.IndexAny(s, "\r\n"), 0)))
	if !strings.ContainsAny(s, "\r\n") {
		b, err = base64.StdEncoding.Strict().DecodeString(s)
	}
	if err != nil {
		v.Raise(L, &hostError{"base64_decode: ", err})
	}
	L.Push(glua.LString(b))
	return 1
}

// random is the generator of one VM: what a script seeds does not reach
// another.
type random struct{ *rand.Rand }

func (v *VM) rand() *random {
	if v.random == nil {
		v.random = &random{rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))}
	}
	return v.random
}

func mathRandomseed(v *VM, L *glua.LState) int {
	v.random = &random{rand.New(rand.NewPCG(uint64(L.CheckInt64(1)), 0))}
	return 0
}

// mathRandom is random(), random(m) and random(m, n) of reference Lua.
func mathRandom(v *VM, L *glua.LState) int {
	r := v.rand()
	lo, hi := int64(1), int64(0)
	switch L.GetTop() {
	case 0:
		L.Push(glua.LNumber(r.Float64()))
		return 1
	case 1:
		hi = L.CheckInt64(1)
	default:
		lo, hi = L.CheckInt64(1), L.CheckInt64(2)
	}
	if hi < lo || hi-lo < 0 {
		L.ArgError(L.GetTop(), "interval is empty")
	}
	L.Push(glua.LNumber(lo + int64(r.Uint64N(uint64(hi-lo)+1))))
	return 1
}
