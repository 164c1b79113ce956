// What pi-ai and OpenClaw have in common: models, contexts, and streams that tell their errors in their last message.

import { messagesOf, plain } from "./wirecanon-capture.mjs";

/** A model that is in no catalogue, as the README of pi-ai has it. */
export function model(fields) {
  return {
    name: fields.id,
    reasoning: false,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128000,
    maxTokens: 32000,
    ...fields,
  };
}

/** The system messages in front, which are no part of the history, and the others. */
export function parted(document) {
  const messages = messagesOf(document);
  const first = messages.findIndex((message) => message?.role !== "system");
  const at = first < 0 ? messages.length : first;
  return { system: messages.slice(0, at), messages: messages.slice(at) };
}

/** A context: one prompt beside the messages. */
export function context({ system, messages }) {
  const words = system.flatMap(({ content }) => (typeof content === "string" ? [content] : content.map(({ text }) => text)));
  return { ...(words.length > 0 && { systemPrompt: words.join("\n\n") }), messages };
}

/** Waits for the end. A stream never throws: what went wrong stands in its last message. */
export async function ended(events) {
  const message = await events.result();
  if (message.stopReason === "error") throw new Error(message.errorMessage);
}

/** What the SDK is given, bytes as base64: the option `onPayload` of `start` keeps it, and nothing is sent. */
export async function payload(start) {
  let kept;
  const onPayload = (payload) => {
    kept = payload;
    throw new Error("kept");
  };
  const failed = await ended(start(onPayload)).catch((error) => error);
  if (!kept) throw failed;
  return plain(kept);
}
