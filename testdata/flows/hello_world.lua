-- The smallest flow with two steps.
local flow = Flow.new("hello_world")

flow:step("greet", nodes.template_render({ template = "Welcome, ${ctx.name}! The kettle is on.", output_key = "greeting" }))
flow:step("say", nodes.log({ message = "${ctx.greeting}" })):depends_on("greet")

return flow
