// The protocol of every oracle: one record a line in, one verdict a line out.
import { createInterface } from "node:readline";

/** The records of stdin. */
export async function* records() {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line) yield JSON.parse(line);
  }
}

/** Writes a verdict; `message` is what the oracle has against the record, nothing if it takes it. */
export function say(oracle, id, message) {
  const verdict = message === undefined ? { verdict: "accept" } : { verdict: "reject", message: message.slice(0, 600) };
  process.stdout.write(JSON.stringify({ id, oracle, ...verdict }) + "\n");
}

/** What a zod error says, with its places; of a union, only what the branches say whose `type` and `role` fit. */
export function words(error) {
  const issues = error.issues ?? error.cause?.issues;
  if (!issues) return String(error.message ?? error);
  return leaves(issues, []).slice(0, 6).join("; ");
}

function leaves(issues, above) {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    const branches = issue.code === "invalid_union" ? issue.errors ?? issue.unionErrors?.map((one) => one.issues) : undefined;
    const fitting = (branches ?? []).filter((branch) => !branch.some((one) => ["type", "role"].includes(one.path.at(-1))));
    if (fitting.length > 0) return fitting.flatMap((branch) => leaves(branch, path));
    return [`${path.join(".")}: ${issue.message} [${issue.code}]`];
  });
}
