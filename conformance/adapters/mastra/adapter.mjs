// Mastra: messages of the Vercel AI SDK as an agent is given them, and what it prompts a model with; and the same messages as
// `convertMessages` makes them ready for a page.

import { Refused, Testee } from "./wirecanon-testee.mjs";
import { messagesOf } from "./wirecanon-capture.mjs";

import { createRequire } from "node:module";
import { convertMessages, MessageList } from "@mastra/core/agent";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/@mastra/core"];

const testee = new Testee("mastra", { version });
for (const from of ["ai-sdk.model", "ai-sdk.ui"]) {
  testee.converts(from, "ai-sdk.model", (document) => {
    return { messages: prompt(messagesOf(document)) };
  });
  testee.converts(from, "ai-sdk.ui", (document) => ({ messages: convertMessages(messagesOf(document)).to("AIV5.UI") }));
}

function prompt(messages) {
  try {
    return new MessageList().add(messages, "input").get.all.aiV5.prompt();
  } catch (error) {
    // Its own typed error: a message of the page as instructions.
    throw error.id === "INVALID_SYSTEM_MESSAGE_FORMAT" ? new Refused("other", error.message) : error;
  }
}

await testee.run();
