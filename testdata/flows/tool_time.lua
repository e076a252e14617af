-- One of the tools that tool_choice.lua calls.
local flow = Flow.new("tool_time")

flow:step("answer", nodes.code({ source = "{ tool_result_name = 'time', tool_result = 'it is noon in ' .. (ctx.place or 'nowhere') }" }))

return flow
