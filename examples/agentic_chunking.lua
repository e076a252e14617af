-- Agentic chunking with a language model: it breaks the document into statements
-- of one fact and groups them by theme, and every statement is checked against the
-- sentences it rests on before it is kept.
--
--   OPENAI_API_KEY=... ironflow run examples/agentic_chunking.lua
--   OPENAI_API_KEY=... ironflow run examples/agentic_chunking.lua --set-file document=README.md
--
-- OPENAI_BASE_URL may point to another OpenAI-compatible server.

local flow = Flow.new("agentic_chunking")

flow:step_if(function(ctx) return ctx.document == nil end, "read",
  nodes.read_file({ path = "${ctx._flow_dir}/documents/ferry.md" }))

flow:step("document", function(ctx)
  return { document = ctx.document or ctx.file_content }
end):depends_on("read")

flow:step("chunk", nodes.ai_chunk_agentic({
  source_key = "document",
  output_key = "facts",
  provider = "openai",
  cache_dir = ".cache/agentic", -- a second run asks nothing
})):depends_on("document")

-- Say so when the result is worse than it looks.
flow:step("report", function(ctx)
  local r = ctx.facts_report
  log(string.format("%d propositions in %d chunks, %d calls, %d from the cache, %d repairs",
    ctx.facts_proposition_count, ctx.facts_count, r.calls, r.cache_hits, r.repairs))
  log(string.format("dropped: %d ungrounded, %d unresolved, %d duplicates; %d sentences in their own words",
    r.dropped.ungrounded, r.dropped.unresolved, r.dropped.duplicate, r.verbatim))
  for _, note in ipairs(r.notes) do
    log(note)
  end
end):depends_on("chunk")

return flow
