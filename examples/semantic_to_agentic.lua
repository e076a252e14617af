-- From meaning to judgement: ai_chunk_semantic cuts where the topic changes (its
-- vectors come from the model inside the binary), ai_chunk_agentic breaks these
-- chunks into checked propositions and gathers what belongs together, and ai_embed
-- turns each theme into one vector. The sentence that neighbouring chunks share is
-- recognised and said once.
--
--   OPENAI_API_KEY=... ironflow run examples/semantic_to_agentic.lua
--   OPENAI_API_KEY=... ironflow run examples/semantic_to_agentic.lua --set-file document=README.md

local flow = Flow.new("semantic_to_agentic")

flow:step_if(function(ctx) return ctx.document == nil end, "read",
  nodes.read_file({ path = "${ctx._flow_dir}/documents/lighthouse.md" }))

flow:step("document", function(ctx)
  return { document = ctx.document or ctx.file_content }
end):depends_on("read")

flow:step("topics", nodes.ai_chunk_semantic({
  source_key = "document",
  output_key = "topics",
  detector = "dp",
  target_size = 600,
  max_size = 1500,
  overlap = 1,
})):depends_on("document")

flow:step("facts", nodes.ai_chunk_agentic({
  source_key = "topics",
  output_key = "facts",
  provider = "openai",
})):depends_on("topics")

flow:step("vectors", nodes.ai_embed({
  source_key = "facts_texts",
  output_key = "vectors",
  provider = "openai",
})):depends_on("facts")

flow:step("records", function(ctx)
  local records = {}
  for i, chunk in ipairs(ctx.facts) do
    records[i] = { id = chunk.chunk_id, hash = chunk.hash, theme = chunk.thematic_category, text = chunk.merged_content, vector = ctx.vectors[i] }
  end
  log(string.format("%d chunks of level 4, %d sentences repeated between them, %d records",
    ctx.topics_count, ctx.facts_report.overlap, #records))
  return { records = records }
end):depends_on("vectors")

return flow
