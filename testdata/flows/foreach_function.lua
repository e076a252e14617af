-- A function for each element of an array that an earlier step made.
local flow = Flow.new("foreach_function")

local tax = 1.05

flow:step("order", nodes.code({
  source = [[
    return { items = {
      { name = "teapot", price = 15, quantity = 2 },
      { name = "cup", price = 4, quantity = 10 },
      { name = "tray", price = 20, quantity = 1 },
    } }
  ]],
}))

flow:step("lines", nodes.foreach({
  source_key = "items",
  transform = function(item, i)
    return { position = i, name = item.name:upper(), total = item.price * item.quantity * tax }
  end,
  output_key = "line_items",
})):depends_on("order")

flow:step("say", nodes.log({ message = "${ctx.line_items_count} lines, the first costs ${ctx.line_items[0].total}" })):depends_on("lines")

return flow
