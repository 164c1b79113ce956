// pi-ai under its first name: the request bodies that it sends for a list of its messages.

import { Testee } from "./wirecanon-testee.mjs";
import { context, parted } from "./wirecanon-pi.mjs";
import { claimAll } from "./wirecanon-pi-ai.mjs";

import { createRequire } from "node:module";
import { getModel, stream } from "@mariozechner/pi-ai";

const { version } = createRequire(import.meta.url)("./package-lock.json").packages["node_modules/@mariozechner/pi-ai"];

const testee = new Testee("pi-ai-mariozechner", { version });
claimAll(testee, {
  getModel,
  stream,
  // This version has no system messages among the others.
  contextOf: (document) => context(parted(document)),
  more: { "openai.chat": { xai: () => getModel("xai", "grok-4.3") } },
});

await testee.run();
