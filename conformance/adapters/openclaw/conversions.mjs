// OpenClaw: what becomes of a session's history on its way to a model, and of a result of an MCP tool.
//
// The lines of a stored session are loaded by `parseSessionEntries` and `SessionManager`; run.mjs turns them into a request. No export of
// the package has these functions: chunks.mjs finds them.

import { Refused, Testee } from "./wirecanon-testee.mjs";
import { only } from "./wirecanon-capture.mjs";
import { bodies } from "./wirecanon-openclaw-ai.mjs";
import { parted } from "./wirecanon-pi.mjs";
import { chunk, version } from "./chunks.mjs";
import { request } from "./run.mjs";

const { sanitizeSessionHistory } = await chunk("src/agents/embedded-agent-runner/replay-history.ts");
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
for (const { to, models } of bodies) {
  const targets = Object.keys(models);
  const convert = async (document, ask) => {
    const model = models[ask.target] ?? models[targets[0]];
    const { system, messages } = parted(document);
    const body = await request(model, { system, messages: loaded(messages) }).catch(refused);
    return only(body, "system", "messages", "instructions", "input", "systemInstruction", "contents");
  };
  testee.converts("openclaw", to, convert, targets);
  testee.converts("mcp.tool-result", to, (result, ask) => convert(answered(result, ask), ask), targets);
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
