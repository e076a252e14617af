-- What a function step has at hand beside Lua's own libraries.
local flow = Flow.new("lua_globals")

flow:step("globals", function()
  local parsed = json_parse('{"score": 42, "tags": []}')
  return {
    serialized = json_stringify({ roles = { "admin", "editor" }, name = "Alice" }),
    parsed_score = parsed.score,
    tags_text = json_stringify(parsed.tags),
    request_id = uuid4(),
    created_at = now_rfc3339(),
    created_ms = now_unix_ms(),
  }
end)

return flow
