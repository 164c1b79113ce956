// LangChain.js: the request bodies of its chat models for stored messages, those messages loaded and stored again, and what a
// result of an MCP tool becomes in @langchain/mcp-adapters.

import { Testee } from "./wirecanon-testee.mjs";
import { messagesOf, only, plain, sent } from "./wirecanon-capture.mjs";
import { server } from "./wirecanon-mcp.mjs";

import { createRequire } from "node:module";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatBedrockConverse } from "@langchain/aws";
import * as core from "@langchain/core/messages";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/@langchain/core"];

const key = { apiKey: "x", maxRetries: 0 };
const wire = (make) => (messages) => sent(() => make().invoke(messages));
const google = (model) => wire(() => new ChatGoogleGenerativeAI({ ...key, model }));
const openai = (options) => wire(() => new ChatOpenAI({ ...key, model: "gpt-5.1", ...options }));

const servers = {
  "anthropic.messages": {
    keys: ["system", "messages"],
    anthropic: wire(() => new ChatAnthropic({ ...key, model: "claude-sonnet-4-5" })),
  },
  "openai.chat": { keys: ["messages"], openai: openai({ model: "gpt-4.1" }) },
  "openai.responses": { keys: ["instructions", "input"], "openai-responses": openai({ useResponsesApi: true }) },
  "gemini.contents": {
    keys: ["systemInstruction", "contents"],
    gemini: google("gemini-2.5-flash"),
    "gemini-3": google("gemini-3-pro-preview"),
  },
  "bedrock.converse": {
    keys: ["system", "messages"],
    bedrock: (messages) => command("amazon.nova-pro-v1:0", messages),
    "bedrock-claude": (messages) => command("anthropic.claude-sonnet-4-5-20250929-v1:0", messages),
  },
};

const testee = new Testee("langchain-js", {
  version,
  refusals: { ContentBlockNotSupportedError: "unsupported-content" },
});

for (const [to, { keys, ...models }] of Object.entries(servers)) {
  const targets = Object.keys(models);
  const body = async (messages, ask) => only(await (models[ask.target] ?? models[targets[0]])(messages), ...keys);
  testee.converts("langchain", to, async (document, ask) => body(loaded(document), ask), targets);
  testee.converts("mcp.tool-result", to, async (result, ask) => body(await answered(result), ask), targets);
}
testee.converts("langchain", "langchain", (document) => stored(loaded(document)));
testee.converts("mcp.tool-result", "langchain", async (result) => stored(await answered(result)));

// Each of the forms has a loader of its own; constructors of Python are those of the same name.
function loaded(document) {
  return messagesOf(document).map((message) => {
    if (message?.lc !== undefined) return new core[message.id.at(-1)](own(message.kwargs));
    if (message?.data !== undefined) return core.mapStoredMessagesToChatMessages([{ ...message, data: own(message.data) }])[0];
    return core.coerceMessageLikeToMessage(own(message));
  });
}

// The dialect spells pictures and files as LangChain for Python does. In JavaScript the same blocks are typed so.
function own(message) {
  if (!Array.isArray(message?.content)) return message;
  return { ...message, content: message.content.map(block) };
}

function block(value) {
  if (!["image", "audio", "file"].includes(value?.type)) return value;
  const { base64, url, mime_type, ...rest } = value;
  const type = mime_type === undefined ? {} : { mime_type };
  if (base64 !== undefined) return { ...rest, source_type: "base64", data: base64, ...type };
  if (url !== undefined && value.source_type === undefined) return { ...rest, source_type: "url", url, ...type };
  return value;
}

function stored(messages) {
  return { messages: core.mapChatMessagesToStoredMessages(messages) };
}

// The AWS SDK sends by `node:http`, so its client is one that keeps the command.
async function command(model, messages) {
  let input;
  const send = async (command) => {
    input = command.input;
    throw new Error("kept");
  };
  const client = { send, config: { region: async () => "us-east-1" } };
  const chat = new ChatBedrockConverse({ model, region: "us-east-1", maxRetries: 0, client });
  const failed = await chat.invoke(messages).catch((error) => error);
  if (!input) throw failed;
  return plain(input);
}

// What an agent does with a call of an MCP tool: a node invokes the tool, and makes a message of what it gives or throws.
async function answered(result) {
  const client = new Client({ name: "wirecanon", version: "1" });
  await client.connect(server(result));
  const call = { id: "call_1", name: "read", args: {}, type: "tool_call" };
  const asked = [new core.HumanMessage("go"), new core.AIMessage({ content: "", tool_calls: [call] })];
  const { messages } = await new ToolNode(await loadMcpTools("wirecanon", client)).invoke({ messages: asked });
  return [...asked, ...messages];
}

await testee.run();
