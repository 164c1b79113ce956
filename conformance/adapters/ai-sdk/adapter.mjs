// Vercel AI SDK: the request bodies that `generateText` sends through each provider's package, what `convertToModelMessages`
// makes of UI messages, and what a result of an MCP tool becomes on its way through `@ai-sdk/mcp`.

import { Testee } from "./wirecanon-testee.mjs";
import { messagesOf, only, sent } from "./wirecanon-capture.mjs";
import { server } from "./wirecanon-mcp.mjs";

import { createRequire } from "node:module";
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createCerebras } from "@ai-sdk/cerebras";
import { createCohere } from "@ai-sdk/cohere";
import { createDeepSeek } from "@ai-sdk/deepseek";
import { createGoogle } from "@ai-sdk/google";
import { createVertex } from "@ai-sdk/google-vertex";
import { createGroq } from "@ai-sdk/groq";
import { createMCPClient } from "@ai-sdk/mcp";
import { createMistral } from "@ai-sdk/mistral";
import { createMoonshotAI } from "@ai-sdk/moonshotai";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { convertToModelMessages, generateText, jsonSchema, tool, validateUIMessages } from "ai";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/ai"];

const key = { apiKey: "x" };
const aws = { region: "us-east-1", accessKeyId: "x", secretAccessKey: "x" };
const openai = createOpenAI(key);
const google = createGoogle(key);
const bedrock = createAmazonBedrock(aws);
const at = (name, baseURL) => createOpenAICompatible({ name, baseURL, ...key });

// By dialect and server: the model, and what the provider is told beside it.
const servers = {
  "anthropic.messages": { keys: ["system", "messages"], anthropic: createAnthropic(key)("claude-sonnet-4-5") },
  "openai.chat": {
    keys: ["messages"],
    openai: openai.chat("gpt-4.1"),
    "ollama-openai": at("ollama", "http://localhost:11434/v1")("llama3.2-vision"),
    vllm: at("vllm", "http://localhost:8000/v1")("qwen3-vl"),
    deepseek: createDeepSeek(key)("deepseek-v4-pro"),
    groq: createGroq(key)("openai/gpt-oss-120b"),
    cerebras: createCerebras(key)("gpt-oss-120b"),
    openrouter: createOpenRouter(key).chat("openai/gpt-4.1"),
    kimi: createMoonshotAI(key)("kimi-k2.6"),
  },
  "openai.responses": {
    keys: ["instructions", "input"],
    "openai-responses": openai.responses("gpt-5.1"),
    "openai-codex": openai.responses("gpt-5.1-codex"),
  },
  "gemini.contents": {
    keys: ["systemInstruction", "contents"],
    gemini: google("gemini-2.5-flash"),
    "gemini-3": google("gemini-3.1-pro-preview"),
    "gemini-3.6": google("gemini-3.6-flash"),
    vertex: createVertex({ ...key, project: "x", location: "us-central1" })("gemini-2.5-flash"),
  },
  "bedrock.converse": {
    keys: ["system", "messages"],
    bedrock: bedrock("amazon.nova-pro-v1:0"),
    "bedrock-claude": bedrock("anthropic.claude-sonnet-4-5-20250929-v1:0"),
  },
  "mistral.chat": { keys: ["messages"], mistral: createMistral(key)("mistral-medium-latest") },
  "cohere.v2": { keys: ["messages"], cohere: createCohere(key)("command-a-vision-07-2025") },
};
// What the SDK's documentation names for requests that the server keeps nothing of.
const providerOptions = { "openai-codex": { openai: { store: false } } };

const testee = new Testee("ai-sdk", {
  version,
  refusals: {
    AI_InvalidPromptError: "other",
    AI_InvalidMessageRoleError: "other",
    AI_TypeValidationError: "other",
    AI_MessageConversionError: "other",
    AI_MissingToolResultsError: "unpaired",
    AI_InvalidDataContentError: "unsupported-content",
    AI_DownloadError: "unsupported-content",
    MCPClientError: "unsupported-content",
    AI_UnsupportedFunctionalityError: "unsupported-content",
  },
});

for (const [to, { keys, ...models }] of Object.entries(servers)) {
  const targets = Object.keys(models);
  const body = async (messages, ask) => {
    const target = targets.includes(ask.target) ? ask.target : targets[0];
    return only(await request(models[target], messages, providerOptions[target]), ...keys);
  };
  testee.converts("ai-sdk.model", to, (document, ask) => body(messagesOf(document), ask), targets);
  testee.converts("mcp.tool-result", to, async (result, ask) => body(await answered(result), ask), targets);
}
testee.converts("ai-sdk.ui", "ai-sdk.model", async (document) => {
  const messages = await validateUIMessages({ messages: messagesOf(document) });
  return { messages: await convertToModelMessages(messages) };
});

function request(model, messages, providerOptions) {
  const first = messages.findIndex((message) => message?.role !== "system");
  const instructions = messages.slice(0, first < 0 ? messages.length : first);
  return sent(() =>
    generateText({
      model,
      ...(instructions.length > 0 && { instructions }),
      messages: messages.slice(instructions.length),
      allowSystemInMessages: true,
      tools: declared(messages),
      maxRetries: 0,
      providerOptions,
    }),
  );
}

// Some providers leave calls out of a request that has no tools.
function declared(messages) {
  const parts = messages.flatMap((message) => (Array.isArray(message?.content) ? message.content : []));
  const names = parts.filter((part) => part?.type === "tool-call" && !part.providerExecuted).map((part) => part.toolName);
  const any = tool({ inputSchema: jsonSchema({ type: "object", properties: {} }) });
  return Object.fromEntries(names.filter((name) => typeof name === "string" && name).map((name) => [name, any]));
}

// What the loop of the SDK does with a tool of an MCP server: it runs it, and asks the tool for what the model is shown.
async function answered(result) {
  const client = await createMCPClient({ transport: server(result) });
  const { read } = await client.tools();
  const output = await read.execute({}, { toolCallId: "readcall1", messages: [] });
  const shown = await read.toModelOutput({ toolCallId: "readcall1", input: {}, output });
  return [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "readcall1", toolName: "read", input: {} }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "readcall1", toolName: "read", output: shown }] },
  ];
}

await testee.run();
