// pi-ai: the request bodies that it sends for a list of its messages.

import { Testee } from "./wirecanon-testee.mjs";
import { messagesOf } from "./wirecanon-capture.mjs";
import { claimAll } from "./wirecanon-pi-ai.mjs";

import { createRequire } from "node:module";
import { getModel, stream } from "@earendil-works/pi-ai/compat";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/@earendil-works/pi-ai"];

const testee = new Testee("pi-ai", { version });
claimAll(testee, {
  getModel,
  stream,
  contextOf,
  options: { maxRetries: 0 },
  more: { "gemini.contents": { "gemini-3.6": () => getModel("google", "gemini-3.6-flash") } },
});

// The package has system messages of its own: they stay where they are. By its types every message has a time, and one of the
// system without it does not count.
function contextOf(document) {
  const timed = (message) => (message?.role === "system" ? { timestamp: 0, ...message } : message);
  return { messages: messagesOf(document).map(timed) };
}

await testee.run();
