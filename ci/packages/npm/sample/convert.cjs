"use strict";

const { spawn } = require("node:child_process");
const { once } = require("node:events");

/** A function that does all as asked: it asks the reference. */
function right() {
  const program = `${__dirname}/node_modules/.bin/wirecanon`;
  const reference = spawn(program, ["testee", "serve"], { stdio: ["pipe", "pipe", "inherit"] });
  reference.stdout.setEncoding("utf8");
  reference.unref();
  reference.stdin.unref();
  reference.stdout.unref();
  return async (document, ask) => {
    reference.stdin.write(`${JSON.stringify(ask)}\n`);
    reference.stdout.ref();
    let text = "";
    while (!text.endsWith("\n")) text += (await once(reference.stdout, "data"))[0];
    reference.stdout.unref();
    return JSON.parse(text).output;
  };
}

/** One that passes on what it is given; for one server it breaks on one message, and for another it never answers. */
function wrong(document, ask) {
  const text = JSON.stringify(document);
  if (text.includes("be brief") && text.includes("stale line")) {
    if (ask.target === "groq") throw new RangeError("tool_call_id");
    if (ask.target === "xai") return new Promise(() => {});
  }
  return document;
}

module.exports = { right, wrong };
