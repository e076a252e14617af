-- Function steps that count and describe; they share a helper of the file.
local flow = Flow.new("function_handler")

local function with_role(users, role)
  local names = {}
  for _, user in ipairs(users) do
    if user.role == role then names[#names + 1] = user.name end
  end
  return names
end

flow:step("load", function()
  return { users = {
    { name = "Ada", role = "admin" }, { name = "Bo", role = "reader" },
    { name = "Cy", role = "admin" }, { name = "Di", role = "editor" },
  } }
end)
flow:step("count", function(ctx)
  local admins = with_role(ctx.users, "admin")
  return { admin_count = #admins, admins = admins }
end):depends_on("load")
flow:step("say", nodes.log({ message = "${ctx.admin_count} admins: ${ctx.admins}" })):depends_on("count")

return flow
