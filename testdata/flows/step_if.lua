-- Steps that run only when a condition holds: as text and as a function.
local flow = Flow.new("step_if")

flow:step_if('ctx.tier == "vip"', "greet", function(ctx)
  return { greeting = "Welcome back, VIP " .. ctx.name .. "!" }
end)

flow:step("done", nodes.log({ message = "the visit of ${ctx.name} is noted" }))

flow:step_if(function(ctx) return ctx.points >= 100 end, "bonus",
  nodes.log({ message = "${ctx.greeting} A bonus is waiting." })):depends_on("greet")

return flow
