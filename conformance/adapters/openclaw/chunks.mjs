// Finds what no export of OpenClaw names: the chunk of its build that holds a source file, and that chunk's own exports by
// their names in the source.

import { readdirSync, readFileSync } from "node:fs";

const root = new URL("./node_modules/openclaw/", import.meta.url);
const dist = new URL("./dist/", root);

/** The version that is installed. */
export const { version } = JSON.parse(readFileSync(new URL("./package.json", root), "utf8"));

const texts = new Map(
  readdirSync(dist)
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => [name, readFileSync(new URL(name, dist), "utf8")]),
);

/** What the chunk that holds `source` exports, under the names that stand in the source. */
export async function chunk(source) {
  const holder = [...texts].find(([, text]) => text.includes(`//#region ${source}\n`) && text.includes("\nexport {"));
  if (!holder) throw new Error(`no chunk of openclaw ${version} holds ${source}`);
  const [name, text] = holder;
  const from = text.lastIndexOf("\nexport {") + "\nexport {".length;
  const exported = await import(new URL(name, dist));
  const pairs = text.slice(from, text.indexOf("}", from)).split(",").map((pair) => pair.trim().split(/\s+as\s+/));
  return Object.fromEntries(pairs.map(([inside, outside = inside]) => [inside, exported[outside]]));
}
