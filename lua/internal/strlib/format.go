package strlib

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// verb is one conversion of a format string.
type verb struct {
	flags     string
	width     int
	precision int // -1: none
	conv      byte
}

func (v verb) has(flag byte) bool { return strings.IndexByte(v.flags, flag) >= 0 }

func (l Lib) format(L *glua.LState) int {
	f := L.CheckString(1)
	var b strings.Builder
	arg := 1
	for {
		i := strings.IndexByte(f, '%')
		if i < 0 {
			b.WriteString(f)
			break
		}
		b.WriteString(f[:i])
		f = f[i+1:]
		if strings.HasPrefix(f, "%") {
			b.WriteByte('%')
			f = f[1:]
			continue
		}
		v, rest := parseVerb(L, f)
		f = rest
		arg++
		writeVerb(L, &b, v, arg)
		if l.over(b.Len()) {
			l.tooLong(L, "string.format")
		}
	}
	if l.over(b.Len()) {
		l.tooLong(L, "string.format")
	}
	L.Push(glua.LString(b.String()))
	return 1
}

// parseVerb reads flags, at most two digits of width and of precision, and the
// conversion letter; f starts after the '%'.
func parseVerb(L *glua.LState, f string) (verb, string) {
	i := 0
	for i < len(f) && strings.IndexByte("-+ #0", f[i]) >= 0 {
		i++
	}
	v := verb{flags: f[:i], precision: -1}
	if i > 5 {
		L.RaiseError("invalid format (repeated flags)")
	}
	number := func() int {
		start := i
		for i < len(f) && f[i] >= '0' && f[i] <= '9' {
			i++
		}
		if i-start > 2 {
			L.RaiseError("invalid format (width or precision too long)")
		}
		n, _ := strconv.Atoi(f[start:i]) // empty is 0
		return n
	}
	v.width = number()
	if i < len(f) && f[i] == '.' {
		i++
		v.precision = number()
	}
	if i >= len(f) {
		L.RaiseError("invalid option '%s' to 'format'", "%")
	}
	v.conv = f[i]
	return v, f[i+1:]
}

func writeVerb(L *glua.LState, b *strings.Builder, v verb, arg int) {
	if strings.IndexByte("cdiouxXeEfgGqs", v.conv) >= 0 && arg > L.GetTop() {
		want := "number"
		if v.conv == 's' || v.conv == 'q' {
			want = "string"
		}
		badArgument(L, arg, "%s expected, got no value", want)
	}
	switch v.conv {
	case 'c':
		pad(b, v, "", string([]byte{byte(toInt(float64(L.CheckNumber(arg))))}), false)
	case 'd', 'i':
		writeInt(b, v, toInt64(float64(L.CheckNumber(arg))))
	case 'o', 'u', 'x', 'X':
		writeUint(b, v, toUint64(float64(L.CheckNumber(arg))))
	case 'e', 'E', 'f', 'g', 'G':
		writeFloat(b, v, float64(L.CheckNumber(arg)))
	case 'q':
		writeQuoted(b, L.CheckString(arg))
	case 's':
		s := L.ToStringMeta(L.Get(arg)).String()
		if v.precision >= 0 && v.precision < len(s) {
			s = s[:v.precision]
		}
		pad(b, v, "", s, false)
	default:
		L.RaiseError("invalid option '%%%c' to 'format'", v.conv)
	}
}

// pad writes sign and body in the width of v; zero says that '0' fills between
// them.
func pad(b *strings.Builder, v verb, sign, body string, zero bool) {
	fill := v.width - len(sign) - len(body)
	switch {
	case fill <= 0:
		b.WriteString(sign + body)
	case v.has('-'):
		b.WriteString(sign + body + strings.Repeat(" ", fill))
	case zero:
		b.WriteString(sign + strings.Repeat("0", fill) + body)
	default:
		b.WriteString(strings.Repeat(" ", fill) + sign + body)
	}
}

func signOf(v verb, negative bool) string {
	switch {
	case negative:
		return "-"
	case v.has('+'):
		return "+"
	case v.has(' '):
		return " "
	}
	return ""
}

// digits applies an integer precision: the least number of digits, none at all
// for zero with precision 0.
func digits(v verb, s string) string {
	if v.precision == 0 && s == "0" {
		return ""
	}
	if n := v.precision - len(s); n > 0 {
		return strings.Repeat("0", n) + s
	}
	return s
}

func writeInt(b *strings.Builder, v verb, n int64) {
	s := strconv.FormatInt(n, 10)
	s = strings.TrimPrefix(s, "-")
	pad(b, v, signOf(v, n < 0), digits(v, s), v.has('0') && v.precision < 0)
}

func writeUint(b *strings.Builder, v verb, n uint64) {
	base, prefix := 10, ""
	switch v.conv {
	case 'o':
		base = 8
	case 'x', 'X':
		base, prefix = 16, "0"+string(v.conv)
	}
	s := digits(v, strconv.FormatUint(n, base))
	if v.conv == 'X' {
		s = strings.ToUpper(s)
	}
	if !v.has('#') || base == 10 || base == 16 && n == 0 {
		prefix = ""
	}
	if base == 8 && v.has('#') && !strings.HasPrefix(s, "0") {
		s = "0" + s
	}
	pad(b, v, prefix, s, v.has('0') && v.precision < 0)
}

func writeFloat(b *strings.Builder, v verb, f float64) {
	lower := v.conv | 0x20
	body := ""
	switch {
	case math.IsInf(f, 0):
		body = "inf"
	case math.IsNaN(f):
		body = "nan"
	default:
		prec := v.precision
		if prec < 0 {
			prec = 6
		}
		flag := ""
		if v.has('#') {
			flag = "#"
		}
		if lower == 'g' && prec == 0 {
			prec = 1
		}
		body = fmt.Sprintf("%"+flag+"."+strconv.Itoa(prec)+string(lower), math.Abs(f))
	}
	if v.conv != lower {
		body = strings.ToUpper(body)
	}
	special := math.IsInf(f, 0) || math.IsNaN(f)
	pad(b, v, signOf(v, math.Signbit(f) && !math.IsNaN(f)), body, v.has('0') && !special)
}

func writeQuoted(b *strings.Builder, s string) {
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '\n':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r':
			b.WriteString(`\r`)
		case 0:
			b.WriteString(`\000`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}

// toInt64 truncates as C does on the usual machines: what does not fit is the
// smallest integer.
func toInt64(f float64) int64 {
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}

func toUint64(f float64) uint64 {
	if f >= 1<<63 && f < 1<<64 {
		return uint64(f)
	}
	return uint64(toInt64(f))
}
