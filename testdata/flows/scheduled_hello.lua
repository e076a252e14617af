-- Made for a schedule; by hand the name of the schedule is empty.
local flow = Flow.new("scheduled_hello")

flow:step("say", nodes.log({ message = "hello from schedule '${ctx.schedule.name}'" }))

return flow
