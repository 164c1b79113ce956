// The TypeScript compiler over an SDK's types: each message is written as a literal of its type, so that members which the
// type does not have are errors too. One message a line; a diagnostic names its line.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { records, say } from "./feed.mjs";

const TYPES = {
  "anthropic.messages": ['import type Anthropic from "@anthropic-ai/sdk";', "Anthropic.Beta.BetaMessageParam"],
  // Servers of this dialect take reasoning back in members that OpenAI's own does not have.
  "openai.chat": [
    `import type OpenAI from "openai";
     type Reasoning = { reasoning_content?: string | null; reasoning?: string | null };
     type Message = OpenAI.Chat.ChatCompletionMessageParam | (OpenAI.Chat.ChatCompletionAssistantMessageParam & Reasoning);`.replaceAll("\n", " "),
    "Message",
  ],
  "openai.responses": ['import type OpenAI from "openai";', "OpenAI.Responses.ResponseInputItem"],
  "gemini.contents": ['import type { Content } from "@google/genai";', "Content"],
  // What a session notes about a message (when, by which model, at what cost) does not travel: it may be missing, or anything.
  "openclaw": [
    `import type { AssistantMessage, ToolResultMessage, UserMessage } from "@mariozechner/pi-ai";
     type Noted = "timestamp" | "api" | "provider" | "model" | "usage";
     type Loose<T> = Omit<T, Noted | "stopReason"> & Partial<Pick<T, "stopReason" & keyof T>> & Partial<Record<Noted, unknown>>;
     type Message = Loose<UserMessage> | Loose<AssistantMessage> | Loose<ToolResultMessage>;`.replaceAll("\n", " "),
    "Message",
  ],
};
const MESSAGES_A_FILE = 2500;
const [name] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const work = join(here, "work", name);
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const files = [];
let open;
let asked = 0;
for await (const record of records()) {
  asked += 1;
  if (!open || open.dialect !== record.dialect || open.ids.length >= MESSAGES_A_FILE) {
    open = { dialect: record.dialect, ids: [], lines: [], name: `part${files.length}.ts` };
    files.push(open);
  }
  const type = TYPES[record.dialect][1];
  open.lines.push(`{ const message: ${type} = ${literal(record.message)}; void message; }`);
  open.ids.push(record.id);
}

/** JSON text as an expression; `__proto__` would not be a member like others. */
function literal(message) {
  return JSON.stringify(message).replaceAll('"__proto__":', '["__proto__"]:').replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

for (const file of files) {
  writeFileSync(join(work, file.name), `${TYPES[file.dialect][0]}\n${file.lines.join("\n")}\n`);
}
const config = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: "nodenext",
    target: "es2022",
    skipLibCheck: true,
    types: [],
  },
  files: files.map((file) => file.name),
};
writeFileSync(join(work, "tsconfig.json"), JSON.stringify(config));
const compiler = join(here, "node_modules", ".bin", "tsc");
const run = spawnSync(compiler, ["-p", "tsconfig.json", "--pretty", "false"], {
  cwd: work,
  encoding: "utf8",
  maxBuffer: 1 << 30,
});
if (run.error) throw run.error;

// `part0.ts(5,53): error TS2353: …`, and indented lines that say more.
const found = new Map();
let last;
for (const line of run.stdout.split("\n")) {
  const match = /^(part\d+\.ts)\((\d+),\d+\): error (TS\d+: .*)$/.exec(line);
  if (match) {
    last = `${match[1]}:${match[2]}`;
    if (!found.has(last)) found.set(last, []);
    found.get(last).push(match[3]);
  } else if (/^\s/.test(line) && last) {
    found.get(last).push(line.trim());
  } else if (line.trim()) {
    throw new Error(`tsc says what belongs to no message: ${line}`);
  }
}
if (run.status !== 0 && found.size === 0) throw new Error(`tsc ended with ${run.status}: ${run.stderr}`);
if (asked > 0 && found.size === asked) throw new Error("no message at all passes: the types were not found");
for (const file of files) {
  file.ids.forEach((id, index) => {
    const faults = found.get(`${file.name}:${index + 2}`);
    // The last line of an elaboration is the innermost, and names the member.
    say(name, id, faults && (faults.length > 1 ? `${faults[0].slice(0, 300)} … ${faults.at(-1)}` : faults[0]));
  });
}
