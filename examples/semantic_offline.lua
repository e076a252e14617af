-- The twin of semantic_topic_boundary.lua that needs no key and no network: the
-- model inside the binary makes the vectors.
--
--   ironflow run examples/semantic_offline.lua

local bees = {
  "The bees of a hive keep their young at thirty-five degrees.",
  "Worker bees warm the hive by shivering their flight muscles.",
  "On hot days the bees spread water in the hive and fan it dry.",
  "A foraging bee leaves the hive and visits several hundred flowers.",
  "The bee brings pollen and nectar from the flowers to the hive.",
  "Back in the hive the bee dances to show other bees the flowers.",
  "The length of the dance tells the bees how far the flowers are.",
  "In autumn the worker bees drive the drones out of the hive.",
}

local rails = {
  "Railway tracks are laid on a bed of crushed stone.",
  "The stone spreads the load of the train and drains the rain from the track.",
  "Concrete sleepers hold the two rails of a track at a fixed distance.",
  "Long rails are welded and stretched before they are fixed to the sleepers.",
  "Without that tension the rails would buckle on a summer afternoon.",
  "A measuring train checks the geometry of the railway line every month.",
  "Machines lift the sleepers of the track and pack the stone beneath them.",
  "A worn rail is ground back to its profile before the first train.",
}

local flow = Flow.new("semantic_offline")

flow:step("document", function()
  return { document = table.concat(bees, " ") .. "\n\n" .. table.concat(rails, " ") }
end)

flow:step("chunk", nodes.ai_chunk_semantic({
  source_key = "document",
  output_key = "topics",
  detector = "topic",
})):depends_on("document")

flow:step("report", function(ctx)
  for i, topic in ipairs(ctx.topics) do
    log(string.format("topic %d: %d characters, %s ...", i, utf8.len(topic), topic:sub(1, 40)))
  end
end):depends_on("chunk")

return flow
