-- Bytes to base64 and back inside a function step.
local flow = Flow.new("base64_globals")

flow:step("encode", function()
  local word = "Hello, IronFlow!"
  local encoded = base64_encode(word)
  return { encoded = encoded, roundtrip_ok = base64_decode(encoded) == word }
end)

flow:step("report", nodes.log({ message = "base64: ${ctx.encoded}, back again: ${ctx.roundtrip_ok}" })):depends_on("encode")

return flow
