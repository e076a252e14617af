-- A switch in front of three inner flows, and a step where the branches join.
local flow = Flow.new("tool_choice")

flow:step("pick", nodes.switch_node({ value = "${ctx.tool}", cases = { time = "time", weather = "weather" }, default = "unknown" }))
for _, tool in ipairs({ "time", "weather", "unknown" }) do
  flow:step(tool, nodes.subworkflow({ flow = "tool_" .. tool .. ".lua", input = { place = "${ctx.place}" } }))
    :depends_on("pick"):route(tool)
end
flow:step("report", nodes.log({ message = "${ctx.tool_result_name}: ${ctx.tool_result}" })):depends_on("time", "weather", "unknown")

return flow
