// @openclaw/ai: the request bodies that OpenClaw's converters send for a list of its messages. As a library it repairs little;
// in OpenClaw the history is repaired before it gets here: that is the testee `openclaw`.

import { Testee } from "./wirecanon-testee.mjs";
import { messagesOf } from "./wirecanon-capture.mjs";
import { bodies } from "./bodies.mjs";

import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/@openclaw/ai"];

const testee = new Testee("openclaw-ai", { version });
for (const { to, models, body } of bodies) {
  const targets = Object.keys(models);
  const convert = (document, ask) => body(models[ask.target] ?? models[targets[0]], contextOf(document));
  testee.converts("openclaw", to, convert, targets);
}

// One prompt stands beside the messages; there are no system messages among them.
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

await testee.run();
