-- One of several branches, chosen by a value.
local flow = Flow.new("switch_routing")

flow:step("kind", nodes.switch_node({
  value = "${ctx.kind}",
  cases = { refund = "money", question = "desk" },
  default = "inbox",
}))
flow:step("money", nodes.log({ message = "a refund for the cashier" })):depends_on("kind"):route("money")
flow:step("desk", nodes.log({ message = "a question for the desk" })):depends_on("kind"):route("desk")
flow:step("inbox", nodes.log({ message = "something for the inbox" })):depends_on("kind"):route("inbox")

return flow
