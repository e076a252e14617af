-- Checks statements about a document, whoever wrote them: no model, no key, no
-- network. Some of these are wrong, each in its own way.
--
--   ironflow run examples/verify_statements.lua
--   ironflow run examples/verify_statements.lua --set-file document=notes.md --set-json statements='["..."]'

local statements = {
  "The fish market opens at five in the morning.",
  "Ships under forty metres may enter without a pilot when the wind is below eight metres per second.",
  "The crane on the eastern quay was built in 1918.",                       -- another year
  "The mean range of the tide is 1.9 km at springs and 0.8 km at neaps.",   -- another unit
  "High water at Sandvik does not follow high water at the coast.",         -- a negation
  "It lifted its last load in 1974.",                                       -- what did?
  "Buyers at the market pay with credit cards.",                            -- nowhere
  "The fish market opens at five in the morning!",                          -- said before
  { text = "A box is sold in nine seconds on average.", sources = { { chunk_id = "in-0007" } } }, -- no such input
}

local flow = Flow.new("verify_statements")

-- Without --set-file the flow reads the document that lies beside it.
flow:step_if(function(ctx) return ctx.document == nil end, "read",
  nodes.read_file({ path = "${ctx._flow_dir}/documents/harbour.md" }))

flow:step("prepare", function(ctx)
  return { text = ctx.document or ctx.file_content, list = ctx.statements or statements }
end):depends_on("read")

flow:step("verify", nodes.ai_verify({ source_key = "text", propositions_key = "list" })):depends_on("prepare")

flow:step("show", function(ctx)
  for i, v in ipairs(ctx.verified) do
    log(string.format("%d %s: %s", i, v.ok and "holds" or "refused", v.text))
    for _, reason in ipairs(v.reasons) do log("    " .. reason.rule .. ": " .. reason.detail) end
  end
  local r = ctx.verified_report
  log(string.format("%d of %d statements hold; they rest on %d of %d sentences", r.accepted, r.statements, r.covered, r.sentences))
end):depends_on("verify")

return flow
