// The line protocol of wirecanon's testees, for adapters in JavaScript or TypeScript on Node 20 or later.
//
// An adapter names itself, says which dialects it converts, and runs:
//
//     import { Testee, Refused } from "./wirecanon-testee.mjs"; // first: from here on, prints of packages go to stderr
//
//     const testee = new Testee("mine", { version: "1.0" });
//     testee.converts("openai.chat", "anthropic.messages", (document, ask) => {
//       return { messages: [] }; // or throw new Refused("unpaired", "why")
//     });
//     await testee.run();
//
// A function gets the input's JSON value and the whole request, and returns a JSON value or a promise of one. Requests are
// answered as they are done, in any order; `serial: true` asks for one at a time. An error that a function lets through is a
// crash of this case, unless `refusals` says what refusal the name of its class stands for.
//
// JavaScript's numbers are doubles, and so the input comes as JSON and is judged as JSON: `accepts` is ["json"]. A package
// that works on the text itself says `accepts: ["json", "text"]`, and its function then gets a string and returns one.

// What packages print would stand between the answers.
const answers = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// A promise that a package forgot belongs to no case, and ends none.
process.on("unhandledRejection", (error) => {
  console.error("unhandled rejection:", error);
});

/** It cannot be done, and nothing was emitted: `code` is invalid-arguments, unsupported-content, unpaired, limit or other; or
 * unrepresentable-input, where the types of the package cannot hold the input. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.name = "Refused";
    this.code = code;
  }
}

/** One program under test. */
export class Testee {
  #conversions = new Map();
  #running = new Set();

  constructor(name, { version, accepts = ["json"], refusals = {}, serial = false } = {}) {
    this.name = name;
    this.version = version;
    this.accepts = accepts;
    this.refusals = refusals;
    this.serial = serial;
  }

  /** Registers a function for a pair of dialects; `targets` are the servers of `to` that the package knows, if not all. */
  converts(from, to, convert, targets) {
    this.#conversions.set(`${from} ${to}`, { from, to, convert, targets });
    return this;
  }

  /** Answers until `bye`, or until stdin ends. */
  async run() {
    for await (const line of lines(process.stdin)) {
      if (line.trim() === "") continue;
      const ask = JSON.parse(line);
      if (ask.op === "bye") break;
      if (ask.op === "hello") say(this.#hello());
      if (ask.op === "convert") await this.#take(ask);
    }
    await Promise.all(this.#running);
    // Packages leave timers and sockets behind, which would keep the process.
    answers("", () => process.exit(0));
  }

  async #take(ask) {
    const answer = this.#answer(ask).then(say);
    if (this.serial) return answer;
    this.#running.add(answer);
    answer.finally(() => this.#running.delete(answer));
  }

  #hello() {
    const conversions = [...this.#conversions.values()].map(({ from, to, targets }) => ({
      from,
      to,
      ...(targets && { targets }),
    }));
    return {
      wirecanon: 1,
      name: this.name,
      ...(this.version && { version: this.version }),
      language: "javascript",
      conversions,
      accepts: this.accepts,
      ...(Object.keys(this.refusals).length > 0 && { refusals: this.refusals }),
    };
  }

  async #answer(ask) {
    const { id } = ask;
    const found = this.#conversions.get(`${ask.from} ${ask.to}`);
    if (!found) return { id, refused: { code: "other", message: `${ask.from} to ${ask.to} was not declared` } };
    try {
      const { input, as } = given(ask);
      const output = await found.convert(input, ask);
      if (as !== "output") return { id, [as]: written(output, as) };
      // Here, so that what is no JSON fails in this case alone.
      const text = JSON.stringify(output);
      if (text === undefined) throw new TypeError("the conversion gave nothing");
      return { id, output: JSON.parse(text) };
    } catch (error) {
      if (error instanceof Refused) return { id, refused: { code: error.code, message: error.message } };
      const name = error?.name ?? "Error";
      const message = error?.message ?? String(error);
      console.error(error);
      if (name in this.refusals) return { id, refused: { code: name, message } };
      return { id, failed: `${name}: ${message}` };
    }
  }
}

// Not `node:readline`: that ends a line at U+2028 and U+2029 too, which may stand in JSON.
async function* lines(stream) {
  let rest = [];
  for await (const chunk of stream.setEncoding("utf8")) {
    const parts = chunk.split("\n");
    if (parts.length > 1) {
      yield rest.join("") + parts[0];
      yield* parts.slice(1, -1);
      rest = [];
    }
    rest.push(parts.at(-1));
  }
  yield rest.join("");
}

function given(ask) {
  if ("input_text" in ask) return { input: ask.input_text, as: "output_text" };
  if ("input_base64" in ask) return { input: Buffer.from(ask.input_base64, "base64"), as: "output_base64" };
  return { input: ask.input, as: "output" };
}

function written(output, as) {
  if (as === "output_base64") return Buffer.from(output).toString("base64");
  if (typeof output !== "string") throw new TypeError("the conversion of a text gave no text");
  return output;
}

function say(answer) {
  answers(`${JSON.stringify(answer)}\n`);
}
