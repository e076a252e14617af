-- Without output_key the other flow's keys arrive as they are.
local flow = Flow.new("merged_subworkflow")

flow:step("greet", nodes.subworkflow({ flow = "greet.lua", input = { name = "IronFlow" } }))
flow:step("say", function(ctx) return { said = ctx.greeting, draft_seen = ctx._draft ~= nil } end):depends_on("greet")

return flow
