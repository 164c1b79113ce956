// OpenClaw: what becomes of a session's history on its way to a model, and of a result of an MCP tool.
//
// The way is its own: the lines of a stored session are loaded by `parseSessionEntries` and `SessionManager`, then come
// `sanitizeSessionHistory` and `validateReplayTurns` by the policy of the model, then the converter of @openclaw/ai that comes with it.
// All but the last are in no export of the package: they are looked up in its chunks.

import { Refused, Testee } from "./wirecanon-testee.mjs";
import { bodies } from "./wirecanon-openclaw-ai.mjs";
import { context, parted } from "./wirecanon-pi.mjs";
import { chunk, version } from "./chunks.mjs";

import { fileURLToPath } from "node:url";

// It looks for its configuration and state: not in a home of somebody's.
process.env.OPENCLAW_STATE_DIR = process.env.HOME = fileURLToPath(new URL("./state/", import.meta.url));

const { sanitizeSessionHistory, validateReplayTurns } = await chunk("src/agents/embedded-agent-runner/replay-history.ts");
const { parseSessionEntries } = await chunk("src/agents/sessions/session-manager-codec.ts");
const { SessionManager } = await chunk("src/agents/sessions/session-manager.ts");
const { projectMcpCallToolResult } = await chunk("src/agents/mcp-content.ts");
const { isToolResultError } = await chunk("src/agents/tool-result-error.ts");

const testee = new Testee("openclaw", { version });

testee.converts("openclaw", "openclaw", async (document) => {
  const { system, messages } = parted(document);
  return { messages: [...system, ...(await sanitizeSessionHistory({ ...session(), messages: loaded(messages) }))] };
});
testee.converts("mcp.tool-result", "openclaw", async (result, ask) => ({ messages: answered(result, ask) }));
for (const { to, models, body } of bodies) {
  const targets = Object.keys(models);
  const convert = async (document, ask) => {
    const model = models[ask.target] ?? models[targets[0]];
    const { system, messages } = parted(document);
    return body(model, context({ system, messages: await replayed(messages, model) }));
  };
  testee.converts("openclaw", to, convert, targets);
  testee.converts("mcp.tool-result", to, (result, ask) => convert(answered(result, ask), ask), targets);
}

async function replayed(messages, model) {
  const about = { ...session(), provider: model.provider, modelApi: model.api, modelId: model.id, model, config: {} };
  const sanitized = await sanitizeSessionHistory({ ...about, messages: loaded(messages) }).catch(refused);
  return validateReplayTurns({ ...about, messages: sanitized });
}

// The messages of a session that was stored with these: one line for each, and each the child of the one before.
function loaded(messages) {
  const about = (id) => ({ id, timestamp: new Date(0).toISOString() });
  const entries = messages.map((message, index) => {
    return { type: "message", ...about(`e${index}`), parentId: index ? `e${index - 1}` : null, message };
  });
  const header = { type: "session", version: 3, ...about("wirecanon"), cwd: "/" };
  const text = [header, ...entries].map((entry) => JSON.stringify(entry)).join("\n");
  return SessionManager.fromEntries(parseSessionEntries(text)).buildSessionContext().messages;
}

// The one error that the repair itself declares.
function refused(error) {
  throw error?.message?.startsWith("invalid_replay_transcript:") ? new Refused("unpaired", error.message) : error;
}

// A session that was never written anywhere.
function session() {
  return { sessionId: "wirecanon", sessionManager: { getEntries: () => [], appendCustomEntry() {} } };
}

// The session after the agent ran an MCP tool: the result as the tool projects it, in the agent's own message.
function answered(result, ask) {
  const id = ask.call_id ?? "call_1";
  const projected = projectMcpCallToolResult(result);
  return [
    { role: "user", content: "go", timestamp: 0 },
    { role: "assistant", content: [{ type: "toolCall", id, name: "read", arguments: {} }], stopReason: "toolUse", timestamp: 0 },
    { role: "toolResult", toolCallId: id, toolName: "read", ...projected, isError: isToolResultError(projected), timestamp: 0 },
  ];
}

await testee.run();
