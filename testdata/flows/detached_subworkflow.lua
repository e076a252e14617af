-- Inner flows are always waited for: this flow is refused, with the name of the
-- parameter that does not exist.
local flow = Flow.new("detached_subworkflow")

flow:step("greet", nodes.subworkflow({ flow = "greet.lua", wait = false }))

return flow
