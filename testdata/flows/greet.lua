-- Runs alone, and as the inner flow of others.
local flow = Flow.new("greet")

flow:step("greet", nodes.code({ source = "{ greeting = 'Hello, ' .. (ctx.name or 'World') .. '!', _draft = 'never leaves this flow' }" }))

return flow
