-- What tool_choice.lua calls when it knows no tool of that name.
local flow = Flow.new("tool_unknown")

flow:step("answer", nodes.code({ source = "{ tool_result_name = 'fallback', tool_result = 'no tool of this name' }" }))

return flow
