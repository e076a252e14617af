-- Two topics of eight sentences each, cut where the topic changes.
--
--   OPENAI_API_KEY=... ironflow run examples/semantic_topic_boundary.lua
--
-- OPENAI_BASE_URL may point to another OpenAI-compatible server. Where exactly
-- the cut falls is up to the vectors of the model.

local bees = {
  "A honeybee colony keeps its brood at thirty-five degrees.",
  "Workers warm the comb by shivering their flight muscles.",
  "On hot days they spread water on the cells and fan it dry.",
  "A forager visits several hundred flowers on one trip.",
  "She carries pollen in baskets on her hind legs.",
  "Back in the hive she dances to show the others the way.",
  "The length of the dance tells how far the flowers are.",
  "In autumn the drones are driven out of the hive.",
}

local rails = {
  "Railway tracks are laid on a bed of crushed stone.",
  "The stone spreads the load of the train and drains the rain.",
  "Concrete sleepers hold the two rails at a fixed distance.",
  "Long rails are welded and stretched before they are fixed.",
  "Without that tension they would buckle on a summer afternoon.",
  "A measuring train checks the geometry of the line every month.",
  "Machines lift the sleepers and pack the stone beneath them.",
  "A worn rail is ground back to its profile during the night.",
}

local flow = Flow.new("semantic_topic_boundary")

flow:step("document", function()
  return { document = table.concat(bees, " ") .. "\n\n" .. table.concat(rails, " ") }
end)

flow:step("chunk", nodes.ai_chunk_semantic({
  source_key = "document",
  output_key = "topics",
  provider = "openai",
  model = "text-embedding-3-small",
  text = "source",
})):depends_on("document")

flow:step("report", function(ctx)
  for i, topic in ipairs(ctx.topics) do
    log(string.format("topic %d: %d characters, %s ...", i, utf8.len(topic), topic:sub(1, 40)))
  end
end):depends_on("chunk")

return flow
