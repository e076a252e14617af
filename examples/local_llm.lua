-- The whole way from a file to records, with models on your own machine and
-- nothing sent elsewhere: read, cut where the topic changes, break into checked
-- statements and group them by theme, embed each theme, write one JSON line for
-- each:
-- {"id":"...","theme":"...","text":"...","sources":[...],"vector":[...]}
--
--   ironflow run examples/local_llm.lua --set-file document=README.md --set output=facts.jsonl
--
-- Any OpenAI-compatible server will do. One that has both models (LM Studio,
-- vLLM, LiteLLM) needs LOCAL_LLM_URL alone, such as http://127.0.0.1:1234/v1.
-- llama.cpp has one model for each process; start it twice and name both:
--
--   llama-server -m chat.gguf --port 8080 -c 8192
--   llama-server -m embed.gguf --port 8081 --embeddings
--   LOCAL_LLM_URL=http://127.0.0.1:8080/v1 LOCAL_EMBED_URL=http://127.0.0.1:8081/v1 ironflow run ...
--
-- LOCAL_LLM_MODEL and LOCAL_EMBED_MODEL name the models; llama.cpp takes any name.

local llm_url = env("LOCAL_LLM_URL") or "http://127.0.0.1:8080/v1"
local embed_url = env("LOCAL_EMBED_URL") or llm_url
local llm_model = env("LOCAL_LLM_MODEL") or "local"
local embed_model = env("LOCAL_EMBED_MODEL") or "local"

local flow = Flow.new("local_llm")

flow:step_if(function(ctx) return ctx.document == nil end, "read",
  nodes.read_file({ path = "${ctx._flow_dir}/documents/ferry.md" }))

flow:step("document", function(ctx)
  return { document = ctx.document or ctx.file_content, output = ctx.output or "facts.jsonl" }
end):depends_on("read")

flow:step("topics", nodes.ai_chunk_semantic({
  source_key = "document",
  output_key = "topics",
  provider = "openai",
  base_url = embed_url,
  model = embed_model,
  detector = "topic",
  sentence_mode = "unicode",
})):depends_on("document")

-- Small batches: a small model answers short questions better, and they fit its
-- context.
flow:step("facts", nodes.ai_chunk_agentic({
  source_key = "topics",
  output_key = "facts",
  provider = "openai",
  base_url = llm_url,
  model = llm_model,
  batch_max_bytes = 800,
  extract_max_tokens = 500,
  group_max_tokens = 400,
  concurrency = 1,
  timeout = 600,
})):depends_on("topics")

flow:step("vectors", nodes.ai_embed({
  source_key = "facts_texts",
  output_key = "vectors",
  provider = "openai",
  base_url = embed_url,
  model = embed_model,
  batch_size = 16,
})):depends_on("facts")

flow:step("records", function(ctx)
  local records = {}
  for i, chunk in ipairs(ctx.facts) do
    local sources = {}
    for _, p in ipairs(chunk.propositions) do
      for _, source in ipairs(p.sources) do sources[#sources + 1] = source end
    end
    records[i] = {
      id = chunk.chunk_id, theme = chunk.thematic_category, text = chunk.merged_content,
      sources = sources, vector = ctx.vectors[i],
    }
  end
  local r = ctx.facts_report
  log(string.format("%d topics, %d themes; %d of %d sentences covered, %d in their own words, %d statements dropped",
    ctx.topics_count, ctx.facts_count, r.covered, r.sentences, r.verbatim,
    r.dropped.ungrounded + r.dropped.unresolved + r.dropped.duplicate))
  return { records = records }
end):depends_on("vectors")

flow:step("write", nodes.write_file({
  path = "${ctx.output}",
  source_key = "records",
  format = "jsonl",
})):depends_on("records")

return flow
