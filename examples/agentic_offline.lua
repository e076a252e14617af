-- Agentic chunking without a key and without a network: the propositions are the
-- document's own sentences, the themes come from the model inside the binary. A
-- language model would also rewrite; see agentic_chunking.lua.
--
--   ironflow run examples/agentic_offline.lua

-- Two topics that take turns, as they do in minutes and in notes.
local document = [[
The barrage at Kvalsund turns the tide into electricity. A honey bee colony keeps its brood nest at 35 degrees.
The turbines of the barrage were built in Holm, and the sluices were renewed in 2009. Worker bees fan their wings
to cool the nest on hot days. The sluices of the barrage open for one hour after high tide. In winter the bees of a
colony form a cluster and shiver to stay warm. The barrage supplies 21,000 homes with electricity.
]]

local flow = Flow.new("agentic_offline")

flow:step("document", function() return { document = document } end)

flow:step("chunk", nodes.ai_chunk_agentic({
  source_key = "document",
  output_key = "themes",
  provider = "local",
  document_id = "notes",
})):depends_on("document")

flow:step("show", function(ctx)
  for _, chunk in ipairs(ctx.themes) do
    log(string.format("%s: %s (%d propositions)", chunk.chunk_id, chunk.thematic_category, chunk.proposition_count))
    for _, p in ipairs(chunk.propositions) do
      local from = p.sources[1]
      log(string.format("  %s [%s %d-%d]", p.text, from.chunk_id, from.start, from.stop))
    end
  end
  local report = ctx.themes_report
  log(string.format("%d of %d sentences covered, %d calls", report.covered, report.sentences, report.calls))
end):depends_on("chunk")

return flow
