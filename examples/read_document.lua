-- Reads one file. search_offline.lua runs it for each file of a folder:
--
--   ironflow run examples/read_document.lua --set-json file='{"path":"README.md"}'

local flow = Flow.new("read_document")

flow:step("read", nodes.read_file({ path = "${ctx.file.path}", output_key = "document" }))

return flow
