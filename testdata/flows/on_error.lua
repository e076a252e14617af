-- A file that is not there; the recovery step puts something in its place.
local flow = Flow.new("on_error")

flow:step("prepare", nodes.code({ source = "{ wanted = 'no-such-file.txt' }" }))
flow:step("load", nodes.read_file({ path = "no-such-file.txt", output_key = "note" })):depends_on("prepare"):on_error("stand_in")
flow:step("stand_in", nodes.code({
  source = "{ error_handled = true, failed_step = ctx._error_step, failed_node = ctx._error_node_type, why = ctx._error_message }",
}))
flow:step("say", nodes.log({ message = "${ctx.failed_step} failed, and the run goes on" })):depends_on("load")

return flow
