// @openclaw/ai: the request bodies that OpenClaw's converters send for a list of its messages. As a library it repairs little;
// in OpenClaw the history is repaired before it gets here: that is the testee `openclaw`.

import { Testee } from "./wirecanon-testee.mjs";
import { bodies } from "./wirecanon-openclaw-ai.mjs";
import { context, parted } from "./wirecanon-pi.mjs";

import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/@openclaw/ai"];

const testee = new Testee("openclaw-ai", { version });
for (const { to, models, body } of bodies) {
  const targets = Object.keys(models);
  const convert = (document, ask) => body(models[ask.target] ?? models[targets[0]], context(parted(document)));
  testee.converts("openclaw", to, convert, targets);
}

await testee.run();
