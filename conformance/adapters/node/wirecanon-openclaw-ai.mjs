// The converters of @openclaw/ai, by the bodies of their requests: for it alone, and for OpenClaw, which comes with it.

import { only, sent } from "./wirecanon-capture.mjs";
import { ended, model as of, payload } from "./wirecanon-pi.mjs";

import { createLlmRuntime } from "@openclaw/ai";
import { registerBuiltInApiProviders } from "@openclaw/ai/providers";

const runtime = createLlmRuntime();
registerBuiltInApiProviders(runtime.registry);

const model = (api, provider, id, baseUrl) => of({ id, api, provider, baseUrl, contextWindow: 200000 });

const chat = (provider, id, baseUrl) => model("openai-completions", provider, id, baseUrl);

/** By dialect: its models by target, and the body that is sent for one of them. */
export const bodies = [
  {
    to: "anthropic.messages",
    models: { anthropic: model("anthropic-messages", "anthropic", "claude-sonnet-4-5", "https://api.anthropic.com") },
    body: body("system", "messages"),
  },
  {
    to: "openai.chat",
    models: {
      openai: chat("openai-compatible", "gpt-4.1", "https://api.openai.com/v1"),
      "ollama-openai": chat("ollama-compatible", "llama3.2-vision", "http://localhost:11434/v1"),
      vllm: chat("vllm", "qwen3-vl", "http://localhost:8000/v1"),
      openrouter: chat("openrouter", "openai/gpt-4.1", "https://openrouter.ai/api/v1"),
    },
    body: body("messages"),
  },
  {
    to: "openai.responses",
    models: { "openai-responses": model("openai-responses", "openai", "gpt-5.1", "https://api.openai.com/v1") },
    body: body("instructions", "input"),
  },
  {
    to: "gemini.contents",
    models: {
      gemini: google("gemini-2.5-flash"),
      "gemini-3": google("gemini-3.1-pro-preview"),
      "gemini-3.6": google("gemini-3.6-flash"),
    },
    body: body("systemInstruction", "contents"),
  },
];

function google(id) {
  return model("google-generative-ai", "google", id, "https://generativelanguage.googleapis.com/v1beta");
}

function body(...keys) {
  return async (model, context) => only(await (model.api.startsWith("google") ? wire : given)(model, context), ...keys);
}

// What the SDKs of Anthropic and OpenAI are given is the body itself. Inside OpenClaw they send through a guard of its own,
// which a stub of `fetch` does not reach.
function given(model, context) {
  return payload((onPayload) => runtime.stream(model, context, { apiKey: "x", maxRetries: 0, onPayload }));
}

// Google's SDK writes the body from its own names.
function wire(model, context) {
  return sent(() => ended(runtime.stream(model, context, { apiKey: "x", maxRetries: 0 })));
}
