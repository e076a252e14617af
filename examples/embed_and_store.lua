-- Chunks a document, embeds the chunks and writes one JSON line for each:
-- {"span":{"start":0,"stop":640},"text":"...","vector":[...]}
--
--   OPENAI_API_KEY=... ironflow run examples/embed_and_store.lua \
--     --set-file document=README.md --set output=rows.jsonl
--
-- OPENAI_BASE_URL may point to another OpenAI-compatible server.

local flow = Flow.new("embed_and_store")

flow:step("chunk", nodes.ai_chunk({
  source_key = "document",
  output_key = "parts",
  size = 1000,
  delimiters = "\n.?!",
  drop_blank = true, -- nobody embeds blanks
}))

flow:step("embed", nodes.ai_embed({
  source_key = "parts",
  output_key = "vectors",
  provider = "openai",
})):depends_on("chunk"):retries(1, 2)

flow:step("rows", nodes.zip({
  columns = { text = "parts", span = "parts_spans", vector = "vectors" },
  output_key = "rows",
})):depends_on("embed")

flow:step("write", nodes.write_file({
  path = "${ctx.output}",
  source_key = "rows",
  format = "jsonl",
})):depends_on("rows")

return flow
