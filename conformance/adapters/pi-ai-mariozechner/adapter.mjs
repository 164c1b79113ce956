// pi-ai under its first name: the request bodies that `stream(model, context)` sends for a list of pi-ai messages.
//
// The models are those of the package's own catalogue, so that each server's limits are met by what the package knows of it.

import { Testee } from "./wirecanon-testee.mjs";
import { messagesOf, only, plain, sent } from "./wirecanon-capture.mjs";

import { createRequire } from "node:module";
import { getModel, stream } from "@mariozechner/pi-ai";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/@mariozechner/pi-ai"];

// The README's own recipe for servers that are in no catalogue.
const compatible = (id, provider, baseUrl) => ({
  id,
  name: id,
  api: "openai-completions",
  provider,
  baseUrl,
  reasoning: false,
  input: ["text", "image"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 128000,
  maxTokens: 32000,
});

const chat = {
  openai: () => compatible("gpt-4.1", "openai", "https://api.openai.com/v1"),
  "ollama-openai": () => compatible("llama3.2-vision", "ollama", "http://localhost:11434/v1"),
  vllm: () => compatible("qwen3-vl", "vllm", "http://localhost:8000/v1"),
  xai: () => getModel("xai", "grok-4.3"),
  deepseek: () => getModel("deepseek", "deepseek-v4-pro"),
  groq: () => getModel("groq", "openai/gpt-oss-120b"),
  cerebras: () => getModel("cerebras", "gpt-oss-120b"),
  openrouter: () => getModel("openrouter", "openai/gpt-4.1"),
  kimi: () => getModel("moonshotai", "kimi-k2.6"),
};
const responses = {
  "openai-responses": () => getModel("openai", "gpt-5.1"),
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

const testee = new Testee("pi-ai-mariozechner", { version });

function claims(to, models, wire, ...keys) {
  const first = Object.values(models)[0];
  const convert = async (document, ask) => {
    const model = (models[ask.target] ?? first)();
    return only(await wire(model, contextOf(document)), ...keys);
  };
  testee.converts("openclaw", to, convert, Object.keys(models));
}

claims("anthropic.messages", { anthropic: () => getModel("anthropic", "claude-sonnet-4-5") }, body, "system", "messages");
claims("openai.chat", chat, body, "messages");
claims("openai.responses", responses, body, "instructions", "input");
claims("gemini.contents", gemini, body, "systemInstruction", "contents");
claims("bedrock.converse", bedrock, command, "system", "messages");
claims("mistral.chat", { mistral: () => getModel("mistral", "mistral-medium-latest") }, body, "messages");

// This version has one prompt beside the messages, and no system messages among them.
function contextOf(document) {
  const messages = messagesOf(document);
  const first = messages.findIndex((message) => message?.role !== "system");
  const system = messages.slice(0, first < 0 ? messages.length : first);
  const words = system.flatMap(({ content }) => (typeof content === "string" ? [content] : content.map(({ text }) => text)));
  return {
    ...(words.length > 0 && { systemPrompt: words.join("\n\n") }),
    messages: messages.slice(system.length),
  };
}

function body(model, context) {
  return sent(() => ended(stream(model, context, { apiKey: "x", transport: "sse" })));
}

// The AWS SDK sends by `node:http`, so the input of its command is taken instead; it writes bytes as base64.
async function command(model, context) {
  let input;
  const onPayload = (payload) => {
    input = payload;
    throw new Error("kept");
  };
  const failed = await ended(stream(model, context, { region: "us-east-1", onPayload })).catch((error) => error);
  if (!input) throw failed;
  return plain(input);
}

// A stream of pi-ai never throws: what went wrong stands in its last message.
async function ended(events) {
  const message = await events.result();
  if (message.stopReason === "error") throw new Error(message.errorMessage);
}

await testee.run();
