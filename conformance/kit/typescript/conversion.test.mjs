// Run with `node --test` in this folder.
// @ts-check

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { convert } from "./conversion.mjs";

// A text with all that breaks adapters: a quote, a line end, U+2028, and a character beyond 16 bits.
const words = 'He said "yes".\nThen\u2028he left \u{1f600}';

// In the dialect that is read.
const history = {
  messages: [
    { role: "user", content: words },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: "found" },
  ],
};

/** @type {import("./wirecanon-testee.mjs").Ask} */
const ask = { id: 1, op: "convert", from: "openai.chat", to: "openai.chat", for: "request", input: history };

test("calls keep their results", async () => {
  const { messages } = await convert(history, ask);
  const calls = messages.flatMap((message) => (message.tool_calls ?? []).map((call) => call.id));
  const results = messages.filter((message) => message.role === "tool").map((message) => message.tool_call_id);
  assert.deepEqual(calls, results);
  assert.equal(calls.length, 1);
});

test("the adapter answers line by line", () => {
  const asked = [{ wirecanon: 1, op: "hello" }, ask, { op: "bye" }];
  const adapter = fileURLToPath(new URL("adapter.mjs", import.meta.url));
  const input = asked.map((line) => `${JSON.stringify(line)}\n`).join("");
  const done = spawnSync(process.execPath, [adapter], { input, encoding: "utf8", timeout: 60_000 });
  assert.equal(done.status, 0, done.stderr);
  const [hello, answer] = done.stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  assert.equal(hello.wirecanon, 1);
  assert.equal(answer.id, 1);
  assert.equal(answer.output.messages[0].content, words);
});
