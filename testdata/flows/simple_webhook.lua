-- Made for a request with a name in it; without one it greets a stranger.
local flow = Flow.new("simple_webhook")

flow:step("greet", function(ctx)
  return { greeting = "Hello, " .. (ctx.name or "stranger") .. "!" }
end)
flow:step("say", nodes.log({ message = "${ctx.greeting}" })):depends_on("greet")

return flow
