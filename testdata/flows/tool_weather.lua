-- One of the tools that tool_choice.lua calls.
local flow = Flow.new("tool_weather")

flow:step("answer", nodes.code({ source = "{ tool_result_name = 'weather', tool_result = 'fog over ' .. (ctx.place or 'nowhere') }" }))

return flow
