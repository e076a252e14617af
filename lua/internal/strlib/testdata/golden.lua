-- Writes golden.txt: the results of reference Lua for the calls below.
--   lua5.1 testdata/golden.lua > testdata/golden.txt
-- A line is the call as Lua source, an arrow, and its results as %q texts with
-- their types, or "error" and the message.
local calls = {}
local function add(name, ...)
  local args, n = {...}, select("#", ...)
  for i = 1, n do
    local a = args[i]
    if type(a) == "string" then
      args[i] = string.format("%q", a):gsub("\\\n", "\\n")
    else
      args[i] = tostring(a)
    end
  end
  calls[#calls + 1] = name .. "(" .. table.concat(args, ", ") .. ")"
end

local subjects = { "", "a", "abc", "hello world", "THE (quick) fox", "  trim me  ", "key = value", "a,b,,c",
  "x^2+y^2", "f(a(b)c)d", "2024-01-15", "aaa", "abcabc", "[[x]]", "100%", "line1\nline2\r\n", "\195\169t\195\169",
  "foo.bar.baz", "$money$", "_under_score9", "]]", "a-b-c", "\1\2\3" }
local patterns = { "", "a", ".", ".*", ".-", ".+", "^a", "a$", "^a$", "^$", "%a+", "%d+", "%s+", "%w+", "%p", "%u+", "%l+", "%x+", "%c",
  "%S+", "%D+", "%W+", "[abc]", "[^abc]+", "[a-c]+", "[%a_][%w_]*", "[]]", "[^]]", "[a-]", "[-a]+", "[%]]", "[%-x]", "[]-a]+",
  "(a)(b)", "(%w+) = (%w+)", "()", "()a()", "(.)(.-)(.)", "(a*(.)%w(%s*))", "%b()", "%b[]", "%bxy", "%f[%w]%w+", "%f[%a]%a+%f[%A]",
  "(%a)%1", "(a)(b)(c)%3", "(%w+)%s*,?", "^%s*(.-)%s*$", "a?b", "ab?c?", "a-b", "b+", "x*", "%.", "%$", "%%", "(%d+)-(%d+)-(%d+)",
  "[[]", "%z", "%Z+", "((a)(b))", "(", ")", "(()", "%", "[a", "[", "[^", "[]", "[%", "%1", "(%1)", "%b", "%bx", "%f", "%fa", "a**", "^^", "$$", "a$b",
  "(a", "a)", "[a-%%]", "[%a-z]", "%q", "%A*", "[^%s]+", "[%w%.]+", "\195\169", "." }
for _, s in ipairs(subjects) do
  for _, p in ipairs(patterns) do
    add("string.find", s, p)
    add("string.match", s, p)
    add("string.gsub", s, p, "<%0>")
    add("gmatch", s, p)
  end
end
for _, p in ipairs { "l", "l+", "", "(l)(l)", "^h", "^l", "o$", "()" } do
  for _, i in ipairs { -20, -3, -1, 0, 1, 3, 5, 6, 20 } do
    add("string.find", "hello", p, i)
    add("string.match", "hello", p, i)
    add("string.find", "hello", p, i, true)
  end
  for _, n in ipairs { -1, 0, 1, 2, 100 } do add("string.gsub", "hello hello", p, "%0%%", n) end
end
add("string.find", "a+b", "+", 1, true)
add("string.find", "a.b", ".", 2, true)
add("string.find", "a.b", ".", 2, false)
for _, r in ipairs { "", "x", "%0", "%1", "%2", "%9", "%%", "%a", "[%1]", "%0%0", 5, 1.5 } do
  for _, p in ipairs { "%w+", "(%w)(%w)", "(%w+)", "", "()%w", "^%w", "z" } do add("string.gsub", "hello world", p, r) end
end
add("string.gsub", "hello", "l", true)
add("string.gsub", "hello", "l")
add("string.gsub", "hello", "l", nil)
for _, f in ipairs { "t_empty", "t_upper", "t_false", "t_bad", "f_nil", "f_upper", "f_false", "f_number", "f_bad", "f_args" } do
  for _, p in ipairs { "%w+", "(%w)(%w*)", "()", ".", "zzz" } do calls[#calls + 1] = string.format("gsubwith(%q, %q, %s)", "ab cd 12", p, f) end
end
for _, s in ipairs { "", "a", "ab" } do for _, n in ipairs { -1, 0, 1, 2, 7, 2.9 } do add("string.rep", s, n) end end
add("string.rep", "x", "3")
add("string.rep", 12, 2)
for _, f in ipairs { "%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%-8.3d|", "%i", "%u", "%+5d", "%.0d", "%-05d|" } do
  for _, n in ipairs { 0, 1, -1, 42, -42, 3.7, -3.7, 123456, 2147483648, 1e15 } do
    if not (f == "%u" and n < 0) then add("string.format", f, n) end
  end
end
for _, f in ipairs { "%o", "%x", "%X", "%#x", "%#X", "%#o", "%08x", "%-8x|", "%.4x", "%#.4x" } do
  for _, n in ipairs { 0, 1, 8, 255, 65535, 3.9, 4294967296 } do add("string.format", f, n) end
end
for _, f in ipairs { "%f", "%.0f", "%.2f", "%10.3f", "%-10.3f|", "%+.1f", "% .1f", "%010.2f", "%#.0f", "%e", "%E", "%.2e", "%.0e", "%12.4e", "%g", "%G", "%.3g", "%.10g", "%.14g", "%.17g", "%#g", "%10g", "%-10g|", "%.0g", "%+g" } do
  for _, n in ipairs { 0, 1, -1, 0.1, 0.5, 1.5, 2.5, 100, 123456, 1234567, 1e15, 1e16, 1e20, 1e100, 1e-5, 0.0001, 0.00012345, 3.14159265358979, -2.5e-10 } do
    add("string.format", f, n)
  end
end
calls[#calls + 1] = 'string.format("%f %5.1f %g %e", 1/0, -1/0, 1/0, 1/0)'
calls[#calls + 1] = 'string.format("%010f|%-10f|%+f", 1/0, 1/0, 1/0)'
for _, f in ipairs { "%s", "%5s", "%-5s|", "%.2s", "%5.1s", "%q", "[%s]", "%%", "%s%%", "%.0s", "%20s", "%-20.3s|" } do
  for _, s in ipairs { "", "a", "abc", "abcdef", 'say "hi"\n\\', 12, "tab\tret\r" } do add("string.format", f, s) end
end
add("string.format", "%c%c%c", 76, 117, 97)
add("string.format", "%3c|%-3c|", 65, 66)
add("string.format", "%d", "12")
add("string.format", "%d", "3.9")
add("string.format", "%s %d %q", "a", 2, "c")
add("string.format", "no verbs", 1, 2)
add("string.format", "%s")
add("string.format", "%d")
add("string.format", "%d", "x")
add("string.format", "%d", nil)
add("string.format", "%y", 1)
add("string.format", "%", 1)
add("string.format", "%10", 1)
add("string.format", "%123d", 1)
add("string.format", "%.123d", 1)
add("string.format", "%------d", 1)
add("string.format", "%l", 1)
add("string.format", ("x"):rep(120) .. "%s", ("y"):rep(150))
for _, c in ipairs {
  'table.concat({})', 'table.concat({"a"})', 'table.concat({"a","b","c"})', 'table.concat({"a","b","c"}, ", ")',
  'table.concat({1,2,3}, "-")', 'table.concat({1,"x",2.5}, "")', 'table.concat({"a","b","c"}, ",", 2)', 'table.concat({"a","b","c"}, ",", 2, 3)',
  'table.concat({"a","b","c"}, ",", 3, 2)', 'table.concat({"a","b","c"}, ",", 0)', 'table.concat({"a","b","c"}, ",", 1, 4)', 'table.concat({"a","b","c"}, ",", -1, 0)',
  'table.concat({"a",{},"c"})', 'table.concat({"a",true})', 'table.concat({"a","b"}, 1)', 'table.concat({[0]="z","a"}, ",", 0, 1)', 'table.concat({1,2}, ",", "1", "2")',
  'table.concat("x")', 'table.concat({}, ",", 1, 0)', 'table.concat({}, "x", 1, 1)',
  'string.find()', 'string.find("a")', 'string.match({}, "a")', 'string.find("abc", "b", "2")', 'string.find(123, 2)', 'string.match(3.5, "%d")', 'string.gsub(101, 1, 2)',
  'string.rep()', 'string.rep("x")', 'string.rep({}, 1)', 'string.format()', 'string.format({})',
  '("x"):rep(3)', '("%d"):format(7)', '("abc"):find("c")', '("abc"):upper()', '("ABC"):lower()', '("abc"):reverse()', '("abc"):len()', '("abc"):sub(2)', '("abc"):byte(1,-1)',
  'string.match(("x"):rep(200), ("x?"):rep(100)..("x"):rep(100))', 'string.find("a\\nb", "a.b")', 'string.gsub("abc", "%w", "%%%0")',
  'string.gsub("hello world", "(o)", "%1%1%1")', 'string.match("  x", "^%s*()")', 'string.match("2024", "^(%d%d)(%d%d)$")',
  'string.gsub("abc", "b*", "-")', 'string.gsub("", "", "x")', 'string.gsub("abc", "$", "x")', 'string.gsub("abc", "^", "x")', 'string.gsub("a.b.c", "%.", "/", 1)',
  'string.match(("()"):rep(32), ("()"):rep(32))', 'string.match("x", ("()"):rep(33))',
} do calls[#calls + 1] = c end

-- The same helpers exist in golden_test.go.
prelude = [[
function gmatch(s, p)
  local out, n = {}, 0
  for a, b, c in string.gmatch(s, p) do n = n + 1; out[n] = tostring(a) .. "," .. tostring(b) .. "," .. tostring(c) end
  return table.concat(out, ";")
end
t_empty, t_upper, t_false, t_bad = {}, { ab = "AB", a = "A", cd = 7, b = "B" }, { ab = false, a = false }, { ab = {}, a = {} }
f_nil = function() end
f_upper = function(s) return (tostring(s):upper()) end
f_false = function() return false end
f_number = function() return 42 end
f_bad = function() return {} end
f_args = function(...) return select("#", ...) .. ":" .. tostring((...)) end
function gsubwith(s, p, r) return string.gsub(s, p, r) end
function show(ok, ...)
  if not ok then
    local m = tostring((...)):gsub("^[^:]*:%d+: ", ""):gsub("to '[^']*' ", "")
    return "error " .. m:gsub("\n", " ")
  end
  local out = {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    out[i] = type(v) .. " " .. string.format("%q", tostring(v)):gsub("\\\n", "\\n")
  end
  return table.concat(out, " ")
end
]]
assert(loadstring(prelude))()
for _, c in ipairs(calls) do
  local f = assert(loadstring("return " .. c, "=g"))
  print(c .. " --> " .. show(pcall(f)))
end
