-- Runs the node of this module:
--   go run . run shout.lua

local flow = Flow.new("shout")

flow:step("words", function() return { words = { "tea", "rain" } } end)

flow:step("shout", nodes.acme.shout({
  source_key = "words",
  marks = 2,
})):depends_on("words")

return flow
