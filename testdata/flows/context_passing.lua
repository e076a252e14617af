-- A step reads what the step before it published.
local flow = Flow.new("context_passing")

flow:step("join", nodes.template_render({ template = "${ctx.first} ${ctx.last}", output_key = "full_name" }))
flow:step("greet", nodes.template_render({ template = "Hello, ${ctx.full_name}!", output_key = "greeting" })):depends_on("join")
flow:step("say", nodes.log({ message = "${ctx.greeting}" })):depends_on("greet")

return flow
