-- Cuts a document where its topic changes, and lists the chunks. It needs no key
-- and no network: the model inside the binary makes the vectors.
--
--   ironflow run examples/semantic_document.lua
--   ironflow run examples/semantic_document.lua --set-file document=README.md

local flow = Flow.new("semantic_document")

-- Without --set-file the flow reads the document that lies beside it.
flow:step_if(function(ctx) return ctx.document == nil end, "read",
  nodes.read_file({ path = "${ctx._flow_dir}/documents/harbour.md" }))

flow:step("document", function(ctx)
  return { text = ctx.document or ctx.file_content }
end):depends_on("read")

-- Every chunk is a slice of the document, from its first sentence to its last.
flow:step("chunk", nodes.ai_chunk_semantic({
  source_key = "text",
  output_key = "topics",
  detector = "topic",
})):depends_on("document")

flow:step("list", function(ctx)
  for i, topic in ipairs(ctx.topics) do
    local span = ctx.topics_spans[i]
    log(string.format("topic %d, bytes %d to %d: %s ...", i, span.start, span.stop, topic:match("[^\n]+")))
  end
end):depends_on("chunk")

return flow
