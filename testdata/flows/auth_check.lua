-- Made for a request; without one it falls back.
local flow = Flow.new("auth_check")

flow:step("read", function(ctx)
  local body = ctx.request and ctx.request.body
  return { action = body and body.action or "unknown", has_token = (ctx.request and ctx.request.token) ~= nil }
end)
flow:step("say", nodes.log({ message = "action ${ctx.action}, token given: ${ctx.has_token}" })):depends_on("read")

return flow
