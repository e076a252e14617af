local flow = Flow.new("quick")

flow:step("say", nodes.log({ message = "quick and done" }))

return flow
