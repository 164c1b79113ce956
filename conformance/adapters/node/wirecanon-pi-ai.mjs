// pi-ai, under whichever of its names: the request bodies that `stream(model, context)` sends for a list of its messages.
//
// The models are those of the package's own catalogue, so that each server's limits are met by what the package knows of it.

import { only, sent } from "./wirecanon-capture.mjs";
import { ended, model, payload } from "./wirecanon-pi.mjs";

const compatible = (id, provider, baseUrl) => model({ id, api: "openai-completions", provider, baseUrl });

/**
 * Claims what every version converts. `more` has the models that only this one knows, by dialect and target; `contextOf` makes
 * the context of a document; `options` go with each request that is sent.
 */
export function claimAll(testee, { getModel, stream, contextOf, options, more = {} }) {
  // Returns the first model that the catalogue of this version lists: a model with image input, if there is one.
  const listed = (provider, ...ids) => ids.map((id) => getModel(provider, id)).find(Boolean);
  const chat = {
    openai: () => compatible("gpt-4.1", "openai", "https://api.openai.com/v1"),
    "ollama-openai": () => compatible("llama3.2-vision", "ollama", "http://localhost:11434/v1"),
    vllm: () => compatible("qwen3-vl", "vllm", "http://localhost:8000/v1"),
    deepseek: () => getModel("deepseek", "deepseek-v4-pro"),
    groq: () => listed("groq", "qwen/qwen3.8-27b", "meta-llama/llama-4-scout-17b-16e-instruct"),
    cerebras: () => listed("cerebras", "qwen-3.8-27b", "gpt-oss-120b"),
    openrouter: () => getModel("openrouter", "openai/gpt-4.1"),
    kimi: () => getModel("moonshotai", "kimi-k2.6"),
  };
  const gemini = {
    gemini: () => getModel("google", "gemini-2.5-flash"),
    "gemini-3": () => getModel("google", "gemini-3.1-pro-preview"),
    vertex: () => getModel("google-vertex", "gemini-2.5-flash"),
  };
  const bedrock = {
    bedrock: () => getModel("amazon-bedrock", "amazon.nova-pro-v1:0"),
    "bedrock-claude": () => getModel("amazon-bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0"),
  };

  const body = (model, context) => sent(() => ended(stream(model, context, { apiKey: "x", transport: "sse", ...options })));
  // The AWS SDK sends by `node:http`, so the input of its command is taken instead.
  const command = (model, context) =>
    payload((onPayload) => stream(model, context, { region: "us-east-1", onPayload }));

  function claims(to, known, wire, ...keys) {
    const models = { ...known, ...more[to] };
    const first = Object.values(models)[0];
    const convert = async (document, ask) => {
      const model = (models[ask.target] ?? first)();
      return only(await wire(model, contextOf(document)), ...keys);
    };
    testee.converts("openclaw", to, convert, Object.keys(models));
  }

  claims("anthropic.messages", { anthropic: () => getModel("anthropic", "claude-sonnet-4-5") }, body, "system", "messages");
  claims("openai.chat", chat, body, "messages");
  claims("openai.responses", { "openai-responses": () => getModel("openai", "gpt-5.1") }, body, "instructions", "input");
  claims("gemini.contents", gemini, body, "systemInstruction", "contents");
  claims("bedrock.converse", bedrock, command, "system", "messages");
  claims("mistral.chat", { mistral: () => getModel("mistral", "mistral-medium-latest") }, body, "messages");
}
