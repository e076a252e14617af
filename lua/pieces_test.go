package lua

import (
	"strings"
	"testing"

	glua "github.com/yuin/gopher-lua"
)

// runSource executes source in a stock VM, compiled by us or by gopher-lua alone.
func runSource(t *testing.T, source string, ours bool) string {
	t.Helper()
	L := glua.NewState()
	defer L.Close()
	var fn *glua.LFunction
	if ours {
		c, err := compile("f.lua", source)
		if err != nil {
			t.Fatal(err)
		}
		fn = L.NewFunctionFromProto(c.proto)
	} else {
		var err error
		if fn, err = L.Load(strings.NewReader(source), "f.lua"); err != nil {
			t.Fatal(err)
		}
	}
	L.Push(fn)
	if err := L.PCall(0, glua.MultRet, nil); err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return "error: " + text
	}
	var out []string
	for i := 1; i <= L.GetTop(); i++ {
		out = append(out, L.Get(i).String())
	}
	return strings.Join(out, ",")
}

// Breaking up long lists changes nothing that a script can see.
func TestPiecesKeepTheMeaning(t *testing.T) {
	cases := map[string]string{
		"locals":               "local s, t = 0, {}\n" + numbered(300, "s = s + N t[#t + 1] = 'N'") + "return s, #t, t[300]",
		"globals":              numbered(300, "gN = N") + "return g1, g300",
		"locals between":       "local s = 0\n" + numbered(150, "s = s + N") + "local q = s\n" + numbered(150, "q = q + 1") + "return q, s",
		"shared upvalue":       "local n = 0\nlocal function up() n = n + 1 return n end\n" + numbered(300, "up()") + "return n, up()",
		"functions":            "local t = {}\n" + numbered(300, "function t.fN() return N end") + "return t.f1(), t.f300()",
		"methods":              "local t = { n = 0 }\nfunction t:add(x) self.n = self.n + x return self end\n" + numbered(300, "t:add(N):add(1)") + "return t.n",
		"blocks":               "local s = 0\n" + numbered(300, "if N % 2 == 0 then s = s + N else for i = 1, 3 do if i == 2 then break end s = s + i end end do local x = N s = s + x end") + "return s",
		"return inside":        "local function f(n)\n" + numbered(300, "if n == N then return 'N' end") + "end\nreturn f(7), f(299), f(1000)",
		"break in a loop":      "local s = 0\nwhile true do\n" + numbered(200, "s = s + 1 if s == 150 then break end") + "end\nreturn s",
		"goto":                 "local s = 0\n" + numbered(200, "s = s + 1") + "do goto done end\n" + numbered(200, "s = s + 1") + "::done:: return s",
		"varargs":              "local function f(...)\nlocal s = 0\n" + numbered(300, "s = s + select('#', ...)") + "return s end\nreturn f(1, 2)",
		"arg":                  "local function f(...)\nlocal s = 0\n" + numbered(300, "s = s + (arg and arg.n or 0)") + "return s end\nreturn f(1, 2)",
		"list":                 "local t = {" + numbered(1000, "'vN',") + "}\nreturn #t, t[1], t[64], t[65], t[1000]",
		"list of numbers":      "local t = {" + numbered(30000, "N,") + "}\nreturn #t == 30000 or #t, t[25600], t[25601] or 25601, t[30000] or 30000",
		"named fields":         "local t = {" + numbered(500, "kN = N,") + "}\nlocal n = 0 for k, v in pairs(t) do n = n + v end\nreturn n, t.k500",
		"mixed":                "local t = {" + numbered(200, "'vN', kN = N,") + "}\nreturn #t, t[200], t.k200",
		"computed keys":        "local t = {" + numbered(200, "[N * 2] = N,") + "}\nreturn t[2], t[400]",
		"positions beside":     "local t = {" + numbered(200, "'vN', [N] = 'x',") + "}\nreturn #t, t[200]",
		"last is a call":       "local function two() return 'a', 'b' end\nlocal t = {" + numbered(200, "'vN',") + " two()}\nreturn #t, t[202]",
		"last in brackets":     "local function two() return 'a', 'b' end\nlocal t = {" + numbered(200, "'vN',") + " (two())}\nreturn #t, t[201]",
		"nested tables":        "local up = 5\nlocal t = {" + numbered(200, "{ a = { 'vN', up } },") + "}\nreturn #t, t[200].a[1], t[200].a[2]",
		"argument":             "return #{" + numbered(200, "N,") + "}, (select('#', {" + numbered(200, "N,") + "}))",
		"varargs in a list":    "local function f(...) return #{" + numbered(200, "(...),") + "} end return f(1)",
		"error line":           "local s = 0\n" + numbered(200, "s = s + N") + "\n\nerror('here')",
		"error line inside":    "local s = 0\n" + numbered(200, "s = s + N") + "s = s + nil\n" + numbered(200, "s = s + N"),
		"error line in a list": "local x\nlocal t = {" + numbered(200, "N,") + "x.y,\n" + numbered(200, "N,") + "}",
	}
	for name, source := range cases {
		t.Run(name, func(t *testing.T) {
			// gopher-lua alone loses what lies behind 25,550 elements.
			stock := "true,25600,25601,30000"
			if name != "list of numbers" {
				stock = runSource(t, source, false)
			}
			ours := runSource(t, source, true)
			if ours != stock {
				t.Errorf("got %s, want %s", ours, stock)
			}
		})
	}
}
