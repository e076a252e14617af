-- Run by reference Lua 5.1 to make semantics.txt and by the tests:
--   lua5.1 testdata/semantics.lua > testdata/semantics.txt
local function show(...)
  local out = {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    local s = tostring(v):gsub("^[^:]*semantics.lua:%d+: ", "@ "):gsub("0x%x+", "PTR")
    if type(v) == "table" or type(v) == "function" or type(v) == "thread" then s = type(v) end
    out[i] = s
  end
  print(table.concat(out, " | "))
end

-- protected calls and upvalues
do
  local a
  local function use() return a end
  pcall(function() error("an error") end)
  a = 5
  show("upvalue after pcall", use())
end
do
  local count = 0
  local function inc() count = count + 1 end
  for i = 1, 3 do
    local ok = pcall(function() error("x") end)
    if not ok then inc() end
  end
  show("counter", count)
end
do
  local getter
  pcall(function() local v = 1; getter = function() v = v + 1; return v end; error("x") end)
  show("closure of failed call", getter(), getter())
end
do
  local fns = {}
  for i = 1, 3 do local j = i * 10; fns[i] = function() j = j + 1; return i, j end; pcall(error, "e") end
  show(fns[1]()); show(fns[2]()); show(fns[1]()); show(fns[3]())
end
do
  local x = 1
  local f = function() x = x + 1; return x end
  local ok = pcall(function()
    local y = 10
    local g = function() y = y + 1; x = x + 1; return y end
    pcall(function() g(); error({}) end)
    show("inner", g(), x)
    error("outer")
  end)
  show("nested", ok, f(), x)
end
show("pcall results", pcall(function() end))
show("pcall results", pcall(function() return nil end))
show("pcall results", pcall(function() return 1, nil, 3, nil end))
show("pcall G", pcall(string.rep, "ab", 2))
show("pcall G error", pcall(error, "msg"))
show("pcall error nil", pcall(error, nil))
show("pcall error none", pcall(error))
show("pcall error table", pcall(error, {}))
show("pcall error level 0", pcall(function() error("m", 0) end))
show("pcall error level 1", pcall(function() error("m", 1) end))
show("pcall error number", pcall(function() error(42) end))
show("pcall nil", pcall(nil))
show("pcall select", select("#", pcall(function() return end)))
show("pcall tail", pcall(function() return (function() return 7 end)() end))
show("pcall callable", pcall(setmetatable({}, { __call = function(self, a) return "called", a end }), 5))
show("pcall vararg", pcall(function(...) return select("#", ...), ... end, nil, 2, nil))
show("pcall of pcall", pcall(pcall, error, "e"))
show("xpcall ok", xpcall(function() return 1, 2 end, function(e) return "handled" end))
show("xpcall", xpcall(function() error("boom", 0) end, function(e) return "handled " .. e end))
show("xpcall handler fails", (xpcall(function() error("boom", 0) end, function(e) error("again", 0) end)))
show("assert ok", assert(1, 2, 3))
show("assert", pcall(function() assert(nil, "why") end))
show("assert default", pcall(function() assert(false) end))
show("tostring meta", tostring(setmetatable({}, { __tostring = function() return "T!" end })))
show("getmetatable protected", getmetatable(setmetatable({}, { __metatable = "locked" })))
show("setmetatable protected", pcall(setmetatable, setmetatable({}, { __metatable = 1 }), {}))
show("string metatable", getmetatable("").__index == string, ("x"):rep(2), #"abc")
show("rawget", rawget(setmetatable({}, { __index = function() return 1 end }), "x"), rawequal("a", "a"))
show("rawset", rawset({}, "a", 1).a)
show("select", select("#"), select(2, "a", "b", "c"))
show("select neg", select(-1, "a", "b"))
show("unpack", unpack({ 1, 2, 3 }, 2))
show("next", next({}), next({ 5 }))
for _, s in ipairs { "10", " 10 ", "0x1F", "-0x10", "1e5", "1E-2", ".5", "5.", "", " ", "a", "1 2", "1a", "0x", "1e", "--1", "+5", "12345678901234567890", "0x1p4", "." } do show("tonumber", s, tonumber(s) and string.format("%.6g", tonumber(s))) end
show("tonumber base", tonumber("ff", 16), tonumber("zz", 36), tonumber("8", 8), tonumber("101", 2), tonumber("0xff", 16), tonumber(10, 16), tonumber("1.5", 16))
show("tonumber other", tonumber(5), tonumber({}), tonumber(nil), tonumber(true))
show("tonumber bad base", pcall(tonumber, "1", 1))
show("ipairs hole", (function() local n = 0 for i in ipairs { 1, 2, nil, 4 } do n = i end return n end)())
show("math", math.huge == 1/0, -math.huge < -1e308, math.floor(-1.5), math.max(1, 3, 2), math.fmod(7, 3))
math.randomseed(1)
do local ok = true for i = 1, 1000 do local r = math.random(3, 7) if r < 3 or r > 7 or r ~= math.floor(r) then ok = false end local q = math.random() if q < 0 or q >= 1 then ok = false end end show("random in range", ok) end
show("random empty", (pcall(math.random, 2, 1)), (pcall(math.random, 0)))
do local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) show("sort", unpack(t)) end
do local t = { 1, 2, 3 } table.insert(t, 2, "x") show("insert", unpack(t)) show("remove", table.remove(t, 1), table.remove(t), #t) end
do local t = {} for k in pairs { a = 1, b = 2, 10, 20 } do t[#t + 1] = tostring(k) end table.sort(t) show("pairs", unpack(t)) end

-- coroutines
do
  local co = coroutine.create(function(a, b)
    show("start", a, b)
    local c, d = coroutine.yield(a + b)
    show("second", c, d)
    local e = coroutine.yield()
    show("third", e)
    return "end", nil
  end)
  show("resume", coroutine.resume(co, 1, 2))
  show("status", coroutine.status(co))
  show("resume", coroutine.resume(co, "x"))
  show("resume", coroutine.resume(co, nil, "ignored"))
  show("status", coroutine.status(co))
  show("resume dead", coroutine.resume(co))
end
do
  local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
  show("wrap", gen(), gen(), gen())
  show("wrap end", gen())
  show("wrap dead", pcall(gen))
end
show("wrap iterates", (function() local s = 0 for x in coroutine.wrap(function() for i = 1, 10 do coroutine.yield(i) end end) do s = s + x end return s end)())
show("resume error", coroutine.resume(coroutine.create(function() error("in co", 0) end)))
show("resume error table", coroutine.resume(coroutine.create(function() error({}) end)))
show("running main", coroutine.running())
show("running in co", type(coroutine.wrap(function() return coroutine.running() end)()))
show("running under pcall", type(coroutine.wrap(function() return select(2, pcall(coroutine.running)) end)()))
show("yield outside", (pcall(coroutine.yield, 1)))
show("yield in pcall", coroutine.resume(coroutine.create(function() return (pcall(function() coroutine.yield(1) end)) end)))
show("yield in metamethod", coroutine.resume(coroutine.create(function() return (pcall(function() return setmetatable({}, { __index = function() return coroutine.yield(1) end }).x end)) end)))
show("yield in iterator", (coroutine.resume(coroutine.create(function() for x in function() return coroutine.yield(1) end do end end))))
show("yield in sort", (coroutine.resume(coroutine.create(function() table.sort({ 3, 2, 1 }, function(a, b) coroutine.yield() return a < b end) end))))
show("yield in gsub", (coroutine.resume(coroutine.create(function() return (("abc"):gsub(".", function() coroutine.yield() end)) end))))
show("tail yield", coroutine.resume(coroutine.create(function() return coroutine.yield(1, 2) end)))
do
  local co = coroutine.wrap(function() return coroutine.yield(1) end)
  show("tail yield", co(), co("back"))
end
do
  local outer
  outer = coroutine.create(function()
    local inner = coroutine.create(function() show("normal", coroutine.status(outer)); coroutine.yield("i") end)
    show("inner", coroutine.resume(inner))
    coroutine.yield("o")
    show("inner", coroutine.resume(inner))
    show("self", coroutine.resume(outer))
  end)
  show("outer", coroutine.resume(outer)); show("outer", coroutine.resume(outer)); show("outer", coroutine.status(outer))
end
do
  local n = 0
  local function deep(k) if k == 0 then return 0 end n = n + 1 return 1 + deep(k - 1) end
  show("deep", deep(5000), n)
  show("overflow", (pcall(function() local function f() return 1 + f() end return f() end)))
  show("overflow meta", (pcall(function() local t = {} setmetatable(t, { __index = function(t, k) return t[k + 1] end }) return t[1] end)))
  show("overflow pcall", (function() local depth = 0 local function f() depth = depth + 1 local ok, e = pcall(f) if not ok then error(e, 0) end end return pcall(f) == false or depth > 10 end)())
  show("after overflow", deep(10))
end
do -- values through many protected calls on one thread
  local sum = 0
  for i = 1, 100 do local ok, v = pcall(function(x) local y = x; local f = function() y = y + 1 return y end; return f() end, i) sum = sum + v end
  show("sum", sum)
end
do -- upvalue shared between coroutine and outside
  local shared = 0
  local co = coroutine.wrap(function() local mine = 0 while true do mine = mine + 1; shared = shared + mine; coroutine.yield(function() return mine end) end end)
  local f = co(); co(); co()
  show("shared", shared, f())
end
