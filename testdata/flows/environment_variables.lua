-- Variables of the environment, with a text for those that are not set.
local flow = Flow.new("environment_variables")

local function read(name) return env(name) or "NOT SET" end

flow:step("connect", nodes.template_render({
  template = "Connecting to " .. (env("DATABASE_URL") or "sqlite://example.db"),
  output_key = "connection_info",
}))
flow:step("list", function() return { region = read("SHOP_REGION"), stage = read("SHOP_STAGE") } end)
flow:step("say", nodes.log({ message = "${ctx.connection_info}, region ${ctx.region}, stage ${ctx.stage}" })):depends_on("connect", "list")

return flow
