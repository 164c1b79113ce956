// One run of `wirecanon gate`: the program judges, and the functions are called in this process.
"use strict";

const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const lines = require("./lines.cjs");
const { program } = require("./program.cjs");

/** It cannot be done, and nothing was emitted: `code` is invalid-arguments, unsupported-content, unpaired, limit or other. */
class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.name = "Refused";
    this.code = code;
  }
}

/** What a corpus says of itself by the protocol of testees. */
function hello({ name, version, refusals, conversions }) {
  const claims = conversions.map(({ from, to, targets }) => ({ from, to, ...(targets && { targets }) }));
  return { wirecanon: 1, name, ...(version && { version }), language: "javascript", conversions: claims, ...(refusals && { refusals }) };
}

function command(corpus, log) {
  const bridge = [process.execPath, path.join(__dirname, "bridge.cjs")].map((word) => `'${word.replaceAll("'", `'"'"'`)}'`);
  const words = ["--no-config", "gate", "--testee", bridge.join(" "), "--log", log, "--format", "json"];
  words.push("--timeout", String(corpus.timeout ?? 10));
  return corpus.suite ? [...words, "--suite", corpus.suite] : words;
}

/** A folder for one run. The path of a socket has room for about a hundred bytes, of which a long TMPDIR leaves too few. */
function folder() {
  const temporary = process.platform !== "win32" && Buffer.byteLength(os.tmpdir()) > 70 ? "/tmp" : os.tmpdir();
  return fs.mkdtempSync(path.join(temporary, "wirecanon-"));
}

/** What wirecanon said, or an error in its words. */
function said(status, stdout, stderr) {
  try {
    return { exit: status, document: JSON.parse(stdout) };
  } catch {
    throw new Error(`\`wirecanon gate\` ended with ${status}: ${stderr.trim()}`);
  }
}

/**
 * The tests of a corpus. No function is called: a testee that fails in each case finds them. It is done at once, since no runner but
 * Vitest waits for a promise before it knows its tests.
 * @returns {{ case: string, from: string, to: string }[]}
 */
function list(corpus) {
  const own = folder();
  try {
    const log = path.join(own, "log");
    const done = spawnSync(program(), [...command(corpus, log), "--rerun", "0", "--expectations", own], {
      env: { ...process.env, WIRECANON_LIST: JSON.stringify(hello(corpus)) },
      encoding: "utf8",
      maxBuffer: 1 << 30,
    });
    if (done.error) throw new Error(`${program()}: ${done.error.message}`);
    const { document } = said(done.status, done.stdout, done.stderr);
    if (document.testees[0].error) throw new Error(document.testees[0].error);
    const { results, notes } = read(log);
    if (notes.length > 0) throw new Error(notes.join("; "));
    return [...results.values()].map(([{ case: id, from, dialect }]) => ({ case: id, from, to: dialect }));
  } finally {
    fs.rmSync(own, { recursive: true, force: true });
  }
}

/** Runs the corpus; WIRECANON_BLESS, WIRECANON_EXPIRES and WIRECANON_LOG say what is written. */
async function run(corpus) {
  const own = folder();
  const { WIRECANON_BLESS: bless, WIRECANON_EXPIRES: expires, WIRECANON_LOG: kept } = process.env;
  const log = path.join(kept ? path.resolve(kept) : own, `${corpus.name.replaceAll("/", "-")}.ndjson`);
  fs.mkdirSync(path.dirname(log), { recursive: true });
  const way = process.platform === "win32" ? `\\\\.\\pipe\\${path.basename(own)}` : path.join(own, "bridge");
  const open = new Set();
  const server = net.createServer((socket) => {
    open.add(socket);
    serve(socket, corpus);
  });
  try {
    await new Promise((resolve, reject) => server.once("error", reject).listen(way, resolve));
    const words = command(corpus, log);
    if (corpus.expectations) words.push("--expectations", corpus.expectations);
    if (bless) words.push("--bless", ...(expires ? ["--expires", expires] : []));
    const child = spawn(program(), words, { env: { ...process.env, WIRECANON_BRIDGE: way }, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err] = [[], []];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    const status = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    const { exit, document } = said(status, Buffer.concat(out).toString(), Buffer.concat(err).toString());
    const gate = document.testees[0];
    if (document.void) gate.error ??= document.void;
    return { exit, gate, ...read(log) };
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
    fs.rmSync(own, { recursive: true, force: true });
  }
}

/** Answers what comes on one connection, one question after the other. */
function serve(socket, corpus) {
  // The bridge was ended: nobody waits for the answer any more.
  socket.on("error", () => {});
  let before = Promise.resolve();
  lines.each(socket, (line) => {
    before = before.then(async () => {
      if (socket.destroyed) return;
      const answer = await answered(line, corpus);
      if (answer === undefined) socket.end();
      else if (socket.writable) socket.write(`${answer}\n`);
    });
  });
}

async function answered(line, corpus) {
  let id = Number(/^\{"id":(\d+)/.exec(line)?.[1]);
  try {
    const ask = JSON.parse(line);
    id = ask.id;
    if (ask.op === "hello") return JSON.stringify(hello(corpus));
    if (ask.op !== "convert") return undefined;
    const found = corpus.conversions.find(({ from, to }) => from === ask.from && to === ask.to);
    const output = await found.convert(ask.input, ask);
    // Here, so that what is no JSON fails in this case alone.
    const text = JSON.stringify(output);
    if (text === undefined) throw new TypeError("the conversion gave nothing");
    return `{"id":${id},"output":${text}}`;
  } catch (error) {
    const name = error?.name ?? "Error";
    const message = error?.message ?? String(error);
    if (error instanceof Refused) return JSON.stringify({ id, refused: { code: error.code, message } });
    if (corpus.refusals && name in corpus.refusals) return JSON.stringify({ id, refused: { code: name, message } });
    const place = /^\s+at .*/m.exec(String(error?.stack))?.[0].trim();
    return JSON.stringify({ id, failed: `${name}: ${message}${place ? `\n${place}` : ""}` });
  }
}

/** What the log says of what was judged: the results of each case and pair of dialects together. */
function read(log) {
  const listed = spawnSync(program(), ["--no-config", "list", "targets", "--format", "json"], { encoding: "utf8" });
  const dialects = new Map(JSON.parse(listed.stdout).map(({ id, dialect }) => [id, dialect]));
  const [results, titles, unscored, notes] = [new Map(), new Map(), new Set(), []];
  for (const line of fs.readFileSync(log, "utf8").split("\n")) {
    // Most results are of pairs that nobody claims; in a string the quotes would be escaped.
    if (line === "" || line.includes('"verdict":"unsupported"')) continue;
    const event = JSON.parse(line);
    if (event.event === "case") {
      titles.set(event.case, event.title);
      if (event.scored === false) unscored.add(event.case);
    } else if (event.event === "testee") {
      notes.push(...(event.notes ?? []));
    } else if (event.event === "result") {
      event.dialect = dialects.get(event.to);
      const key = `${event.case} [${event.from}->${event.dialect}]`;
      results.set(key, [...(results.get(key) ?? []), event]);
    }
  }
  return { results, titles, unscored, notes };
}

module.exports = { Refused, list, run };
