// OpenAI Agents SDK for JavaScript: what an agent sends after one of its MCP tools has answered.
//
// The run is its own: the agent has an MCP server in this process, the first turn of the model is given here, and the second
// request is the one that is kept.

import { Refused, Testee } from "./wirecanon-testee.mjs";
import { only, sent } from "./wirecanon-capture.mjs";
import { server } from "./wirecanon-mcp.mjs";

import { createRequire } from "node:module";
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  Usage,
} from "@openai/agents";
import { Client } from "@modelcontextprotocol/client";

const require = createRequire(import.meta.url);
const OpenAI = createRequire(require.resolve("@openai/agents-openai"))("openai");
const { version } = require("./package-lock.json").packages["node_modules/@openai/agents"];

setTracingDisabled(true);
const client = new OpenAI({ apiKey: "x", maxRetries: 0, fetch: (...request) => globalThis.fetch(...request) });

const testee = new Testee("openai-agents-js", { version });
testee.converts(
  "mcp.tool-result",
  "openai.responses",
  async (result) => only(await second(new OpenAIResponsesModel(client, "gpt-5.1"), result), "input"),
  ["openai-responses"],
);
testee.converts(
  "mcp.tool-result",
  "openai.chat",
  async (result) => only(await second(new OpenAIChatCompletionsModel(client, "gpt-4.1"), result), "messages"),
  ["openai"],
);

async function second(model, result) {
  const mcp = await connected(result);
  const agent = new Agent({ name: "wirecanon", model: new AfterOneCall(model), mcpServers: [mcp] });
  const body = await sent(() => new Runner({ tracingDisabled: true }).run(agent, "go", { maxTurns: 2 }));
  // The run goes on after a result that the MCP client rejects, with an error in place of the result.
  if (mcp.rejection) throw new Refused("unrepresentable-input", mcp.rejection.message);
  return body;
}

// Calls the tool in the first turn, and is the real model in the second.
class AfterOneCall {
  #called = false;

  constructor(model) {
    this.model = model;
  }

  async getResponse(request) {
    if (this.#called) return this.model.getResponse(request);
    this.#called = true;
    const call = { type: "function_call", callId: "call_1", name: "read", arguments: "{}", status: "completed" };
    return { usage: new Usage(), output: [call], responseId: "resp_1" };
  }

  getStreamedResponse(request) {
    return this.model.getStreamedResponse(request);
  }
}

// An MCP server as the SDK sees one: its own kinds differ in the transport alone. They hand over the content of a result.
async function connected(result) {
  const client = new Client({ name: "wirecanon", version: "1" });
  await client.connect(server(result));
  const mcp = {
    name: "wirecanon",
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => {
      try {
        return (await client.callTool({ name, arguments: args ?? {} })).content;
      } catch (error) {
        if (error.code === "INVALID_RESULT") mcp.rejection = error;
        throw error;
      }
    },
  };
  return mcp;
}

await testee.run();
