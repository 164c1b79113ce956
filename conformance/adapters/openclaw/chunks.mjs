// Imports functions that OpenClaw has in its build and does not publish. A chunk of the build holds several source files and exports
// functions under short names; `chunk` finds the chunk by the source file and returns the exports by their names in the source.

import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Keeps the configuration and the state of OpenClaw out of the home directory.
process.env.OPENCLAW_STATE_DIR = process.env.HOME = fileURLToPath(new URL("./state/", import.meta.url));

const root = new URL("./node_modules/openclaw/", import.meta.url);
const dist = new URL("./dist/", root);

/** The installed version. */
export const { version } = JSON.parse(readFileSync(new URL("./package.json", root), "utf8"));

const texts = new Map(
  readdirSync(dist)
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => [name, readFileSync(new URL(name, dist), "utf8")]),
);

// Functions that their chunk does not export. An export is added to the text of the chunk when it is loaded.
const unexported = [
  "installEmbeddedAttemptStreamGuards",
  "normalizeMessagesForLlmBoundary",
  "prepareEmbeddedAttemptHistory",
  "prepareEmbeddedAttemptTransport",
];
registerHooks({
  load(url, about, load) {
    const loaded = load(url, about);
    if (!url.startsWith(dist.href)) return loaded;
    const text = String(loaded.source);
    const added = unexported.filter((name) => text.includes(`function ${name}(`));
    if (added.length === 0) return loaded;
    return { ...loaded, source: `${text}\nexport { ${added.map((name) => `${name} as added_${name}`)} };\n` };
  },
});

/** The exports of the chunk that holds `source`, and the added ones, under their names in the source. */
export async function chunk(source) {
  const holder = [...texts].find(([, text]) => text.includes(`//#region ${source}\n`) && text.includes("\nexport {"));
  if (!holder) throw new Error(`no chunk of openclaw ${version} holds ${source}`);
  const [name, text] = holder;
  const from = text.lastIndexOf("\nexport {") + "\nexport {".length;
  const exported = await import(new URL(name, dist));
  const pairs = text.slice(from, text.indexOf("}", from)).split(",").map((pair) => pair.trim().split(/\s+as\s+/));
  const added = unexported.map((name) => [name, exported[`added_${name}`]]).filter(([, value]) => value);
  return Object.fromEntries([...pairs.map(([inside, outside = inside]) => [inside, exported[outside]]), ...added]);
}
