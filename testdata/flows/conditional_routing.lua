-- One of two branches, chosen by a condition in text form.
local flow = Flow.new("conditional_routing")

flow:step("check", nodes.if_node({ condition = "ctx.amount > 100", true_route = "review", false_route = "approve" }))
flow:step("review", nodes.log({ message = "an order of $${ctx.amount} needs a second look" })):depends_on("check"):route("review")
flow:step("approve", nodes.log({ message = "an order of $${ctx.amount} goes through" })):depends_on("check"):route("approve")

return flow
