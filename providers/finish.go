package providers

import "strings"

// finishReason brings the words of many servers into one vocabulary. failed
// reports a word that says that the server itself failed.
//
// Sources: the APIs of OpenAI, Ollama, Anthropic (end_turn, max_tokens,
// stop_sequence, tool_use, refusal), Gemini (STOP, MAX_TOKENS, SAFETY,
// RECITATION and so on), Mistral (model_length), DeepSeek
// (insufficient_system_resource), Text Generation Inference (eos_token), vLLM
// (abort), Bedrock (guardrail_intervened), and gateways in front of them.
func finishReason(word string) (reason FinishReason, failed bool) {
	switch strings.ToLower(word) {
	case "":
		return FinishUnknown, false
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete", "completed", "finish_reason_stop":
		return FinishStop, false
	case "length", "max_tokens", "max_output_tokens", "max_completion_tokens", "model_length", "token_limit",
		"model_context_window_exceeded", "context_length_exceeded", "finish_reason_max_tokens":
		return FinishLength, false
	case "content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii",
		"guardrail_intervened", "image_safety", "refusal", "sensitive":
		return FinishFilter, false
	case "tool_calls", "tool_call", "tool_use", "function_call", "malformed_function_call":
		return FinishTools, false
	case "load", "unload":
		return FinishLoad, false
	case "error", "abort", "aborted", "cancelled", "insufficient_system_resource":
		return FinishOther, true
	}
	return FinishOther, false
}
