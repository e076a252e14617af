-- Two steps side by side, and one that waits for both.
local flow = Flow.new("parallel_execution")

flow:step("a", nodes.code({ source = "{ a_status = 'A complete' }" }))
flow:step("b", nodes.code({ source = "return { b_status = 'B complete' }" }))
flow:step("join", nodes.log({ message = "${ctx.a_status}; ${ctx.b_status}" })):depends_on("a", "b")

return flow
