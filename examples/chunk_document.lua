-- Chunks a document and prints how many chunks there are. It needs no key and
-- no network:
--
--   ironflow run examples/chunk_document.lua
--   ironflow run examples/chunk_document.lua --set-file document=README.md

local flow = Flow.new("chunk_document")

-- Without --set-file the flow reads the document that lies beside it.
flow:step_if(function(ctx) return ctx.document == nil end, "read",
  nodes.read_file({ path = "${ctx._flow_dir}/documents/harbour.md" }))

flow:step("document", function(ctx)
  return { text = ctx.document or ctx.file_content }
end):depends_on("read")

-- At most 800 bytes each, ending behind a full stop or a line break.
flow:step("chunk", nodes.ai_chunk({
  source_key = "text",
  output_key = "chunks",
  size = 800,
  delimiters = "\n.?!",
  drop_blank = true,
})):depends_on("document")

flow:step("count", function(ctx)
  local largest = 0
  for _, chunk in ipairs(ctx.chunks) do
    largest = math.max(largest, #chunk)
  end
  log(string.format("%d bytes in %d chunks, the largest has %d bytes", #ctx.text, ctx.chunks_count, largest))
  return { largest_chunk = largest }
end):depends_on("chunk")

return flow
