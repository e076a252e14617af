-- Another flow as one step.
local flow = Flow.new("basic_subworkflow")

flow:step("who", nodes.code({ source = "{ person = 'IronFlow' }" }))
flow:step("greet", nodes.subworkflow({ flow = "greet.lua", input = { name = "${ctx.person}" }, output_key = "sub" })):depends_on("who")
flow:step("say", nodes.log({ message = "the other flow says: ${ctx.sub.greeting}" })):depends_on("greet")

return flow
