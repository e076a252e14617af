-- Answers questions from a folder of documents: chunks them along their headings,
-- embeds the chunks and ranks them by words and vectors together. It needs no key
-- and no network; the vectors come from the model inside the binary.
--
--   ironflow run examples/search_offline.lua

local questions = {
  "How are the batteries of the ferry charged?",
  "Where did the lighthouse families get their drinking water?",
  "Why does the old tide gauge lag in winter?",
}

local flow = Flow.new("search_offline")

flow:step("files", nodes.list_files({ path = "${ctx._flow_dir}/documents", pattern = "**/*.md" }))

flow:step("read", nodes.subworkflow({
  flow = "read_document.lua",
  source_key = "files",
  item_key = "file",
  output_key = "documents",
})):depends_on("files")

flow:step("texts", nodes.foreach({
  source_key = "documents",
  transform = function(document) return document.document_content end,
  output_key = "texts",
})):depends_on("read")

flow:step("chunk", nodes.ai_chunk({ source_key = "texts", mode = "markdown", size = 600 })):depends_on("texts")

-- chunks_texts hold each chunk with the headings that it stands under.
flow:step("embed", nodes.ai_embed({ source_key = "chunks_texts", output_key = "vectors", provider = "local" })):depends_on("chunk")

flow:step("questions", function() return { questions = questions } end)
flow:step("embed_questions", nodes.ai_embed({
  source_key = "questions",
  output_key = "question_vectors",
  provider = "local",
})):depends_on("questions")

local ranked = {}
for i, question in ipairs(questions) do
  ranked[i] = "rank_" .. i
  flow:step(ranked[i], nodes.ai_rank({
    source_key = "chunks_texts",
    vectors_key = "vectors",
    query = question,
    query_vector_key = "question_vectors[" .. i - 1 .. "]",
    top = 3,
    output_key = "hits_" .. i,
  })):depends_on("embed", "embed_questions")
end

flow:step("report", function(ctx)
  local answers = json_array()
  for i, question in ipairs(questions) do
    local best = ctx["hits_" .. i][1]
    local file = ctx.files[ctx.chunks_spans[best.index].parent]
    log(string.format("%s\n  %s (score %.2f): %s", question, file.name, best.score, (ctx.chunks[best.index]:gsub("%s+", " "))))
    answers[i] = { question = question, file = file.name, text = best.text }
  end
  return { answers = answers }
end):depends_on(ranked)

return flow
