// A run of OpenClaw's embedded agent, up to the request: the functions of a real run prepare the transport, the stream wrappers and the
// history, in the order of `prepareEmbeddedAttemptSessionRuntime` and `runEmbeddedAttemptExecutionPhase`.

import { context, payload } from "./wirecanon-pi.mjs";
import { chunk } from "./chunks.mjs";

import { createLlmRuntime } from "@openclaw/ai";

const { prepareEmbeddedAttemptTransport } = await chunk("src/agents/embedded-agent-runner/run/attempt-stream-settle.ts");
const { installEmbeddedAttemptStreamGuards } = await chunk("src/agents/embedded-agent-runner/run/attempt-stream.ts");
const { prepareEmbeddedAttemptHistory } = await chunk("src/agents/embedded-agent-runner/run/attempt-history-prepare.ts");
const { resolveAttemptTranscriptPolicy } = await chunk("src/agents/embedded-agent-runner/run/attempt-history.ts");
const { normalizeMessagesForLlmBoundary } = await chunk("src/agents/embedded-agent-runner/run/attempt-llm-boundary.ts");
const { convertToLlm } = await chunk("packages/agent-core/src/harness/messages.ts");
const { bindStreamLlmRuntime } = await chunk("src/llm/model-runtime-binding.ts");

const runtime = createLlmRuntime();
bindStreamLlmRuntime(runtime.streamSimple, runtime);

// A run adds the prompt of the user to the history, so no request ends with the assistant. Where the history does, this prompt is added.
// The body is returned without it, except for models that refuse a request that ends with the assistant.
const prompt = { role: "user", content: "go on", timestamp: 0 };
const refusesPrefill = (model) => model.id === "gemini-3.6-flash";

/** Returns the body of the request that a run with `model` sends for the loaded messages of a session. */
export async function request(model, { system, messages }) {
  const input = await prepare(model, messages);
  const { agentSession, transcriptPolicy } = input.prepared.sessionRuntime;
  const session = agentSession.activeSession;
  installEmbeddedAttemptStreamGuards(input, { diagnosticOwner: {} });
  await prepareEmbeddedAttemptHistory(input);

  const prompted = session.messages.at(-1)?.role === "assistant";
  const history = prompted ? [...session.messages, prompt] : session.messages;
  const sent = convertToLlm(normalizeMessagesForLlmBoundary(history, transcriptPolicy));
  const about = context({ system, messages: sent });
  const stream = (onPayload) => session.agent.streamFn(model, about, { apiKey: "x", maxRetries: 0, onPayload });
  const body = await payload((onPayload) => ({ result: async () => (await stream(onPayload)).result() }));
  return prompted && !refusesPrefill(model) ? withoutPrompt(body) : body;
}

// What the functions read, of an agent without tools and a session that is not stored.
async function prepare(model, messages) {
  const about = { config: {}, provider: model.provider, modelId: model.id, model };
  const transport = await transportOf(model);
  const agent = { streamFn: transport.streamFn, state: { messages } };
  const activeSession = { sessionId: "wirecanon", agent, get messages() { return agent.state.messages; } };
  return {
    attempt: { ...about, sessionId: "wirecanon", runId: "wirecanon", timeoutMs: 60000 },
    diagnostics: { runTrace: { traceId: "1".repeat(32), spanId: "1".repeat(16) } },
    lifecycle: { readYieldState: () => ({}) },
    prepared: {
      sessionRuntime: {
        agentSession: { activeSession },
        boundary: {},
        contextGuards: {},
        isOpenAIResponsesApi: model.api === "openai-responses",
        sessionManager: { getEntries: () => [], appendCustomEntry() {} },
        state: {},
        transcriptPolicy: resolveAttemptTranscriptPolicy({ ...about, runtimePlanModelContext: { modelApi: model.api, model } }),
        transport,
      },
      toolCatalog: { toolSearchRunPlan: {} },
    },
    runAbortController: new AbortController(),
    setup: {},
  };
}

const transports = new Map();

// The transport of a model with its stream function, which is the same for all requests.
function transportOf(model) {
  if (!transports.has(model)) transports.set(model, prepareTransport(model));
  return transports.get(model);
}

async function prepareTransport(model) {
  const agent = { streamFn: runtime.streamSimple };
  const about = { config: {}, provider: model.provider, modelId: model.id, model };
  const transport = await prepareEmbeddedAttemptTransport({
    attempt: { ...about, admittedRunContext: {}, resolvedApiKey: "x", sessionId: "wirecanon" },
    session: { agent },
    settingsManager: { getGlobalSettings: () => ({}), getProjectSettings: () => ({}) },
    providerThinkingLevel: "off",
    abortSignal: new AbortController().signal,
    getProviderRuntimeHandle() {},
    providerPromptState: { state: {}, effectiveContextTokenBudget: model.contextWindow },
  });
  return { ...transport, streamFn: agent.streamFn };
}

function withoutPrompt(body) {
  const [key, list] = Object.entries(body).find(([key]) => ["messages", "input", "contents"].includes(key));
  return { ...body, [key]: list.slice(0, -1) };
}
