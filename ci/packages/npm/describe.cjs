// The tests of a corpus, for any runner: one for each case and pair of dialects, and one for the gate.
"use strict";

const fs = require("node:fs");
const { Refused, list, run } = require("./run.cjs");

/** Ways to fail, and characters of an answer, that one test tells. */
const [MOST, SHOWN] = [20, 1500];

/** Most milliseconds for the whole run. */
const WHOLE = 15 * 60 * 1000;

/** A test fails with these words, and without a trace. */
class NotAsAsked extends Error {
  constructor(words) {
    super(words);
    this.name = "NotAsAsked";
    this.stack = words;
  }
}

/**
 * @param runner `group`, `test` and `before` of a runner; `skip(context, why)` and `expected(context, why)` say that a test does not
 *   score, or fails as it is expected to. Either may throw.
 */
function describeCorpus(runner, options) {
  const { from, to, targets, convert, ...rest } = options;
  const corpus = { ...rest, name: options.name ?? packageName(), conversions: [...(options.conversions ?? [])] };
  if (convert) corpus.conversions.push({ from, to, targets, convert });
  if (corpus.conversions.length === 0) throw new TypeError("describeCorpus needs `from`, `to` and `convert`, or `conversions`");
  const tests = list(corpus);
  runner.group(`wirecanon: ${corpus.name}`, () => {
    let judged;
    runner.before(async () => {
      judged = await run(corpus);
    }, WHOLE);
    for (const one of tests) {
      const key = `${one.case} [${one.from}->${one.to}]`;
      runner.test(key, (context) => hold(runner, context, judged, one, judged.results.get(key) ?? []));
    }
    runner.test("gate", () => gate(judged));
  });
}

function packageName() {
  try {
    return JSON.parse(fs.readFileSync("package.json", "utf8")).name ?? "testee";
  } catch {
    return "testee";
  }
}

/** Holds one case to what is expected of it. */
function hold(runner, context, { gate, titles, unscored }, one, results) {
  if (results.length === 0) throw new NotAsAsked(gate.error ?? "it was not judged on this case");
  const at = new Map(results.map((result) => [result.to, result]));
  const wrong = gate.regressions
    .filter((failure) => failure.case === one.case && failure.from === one.from)
    .map((failure) => ({ ...failure, to: failure.to.filter((to) => at.has(to)) }))
    .filter((failure) => failure.to.length > 0);
  if (wrong.length > 0) {
    const told = wrong.slice(0, MOST).flatMap((failure) => tell(failure, at.get(failure.to[0])));
    throw new NotAsAsked([titles.get(one.case), ...told].join("\n"));
  }
  const better = gate.stale.filter((stale) => stale.case === one.case && stale.kind === "better-than-expected");
  if (better.length > 0) {
    throw new NotAsAsked(better.map(({ line, message }) => `expected to fail: ${gate.file}:${line}: ${message}`).join("\n"));
  }
  const failing = results.find((result) => !result.ok);
  if (failing && unscored.has(one.case)) runner.skip(context, `not of the suite, so it fails nothing: ${because(failing)}`);
  else if (failing) runner.expected(context, `expected to fail by ${gate.file}: ${because(failing)}`);
}

/** What is wrong with the whole, and with entries that are about no test of their own. */
function gate({ exit, gate, results }) {
  const cases = new Set([...results.values()].map(([result]) => result.case));
  const wrong = gate.error ? [gate.error] : [];
  for (const { kind, case: id, line, message } of gate.stale) {
    if (kind !== "better-than-expected" || !cases.has(id)) wrong.push(`${gate.file}:${line}: ${id}: ${kind}: ${message}`);
  }
  if (exit === 4) wrong.push(`only ${gate.judged} cases were judged, fewer than ${gate.file} asks for`);
  if (exit === 5) wrong.push("the run is incomplete");
  if (wrong.length > 0) throw new NotAsAsked([...wrong, "WIRECANON_BLESS=1 brings the file up to date"].join("\n"));
}

/** One way in which a case fails, by the words of the gate and of the log. */
function tell(failure, result) {
  const more = failure.to.length > 4 ? ` and ${failure.to.length - 4} more` : "";
  const lines = [`${failure.kind}: ${failure.from} -> ${failure.to.slice(0, 4).join(", ")}${more}: ${failure.verdict}`];
  const broken = result.violations ?? [];
  for (const { rule, pointer, message } of broken.slice(0, MOST)) lines.push(`  ${rule} at ${pointer || "the whole"}: ${message}`);
  for (const lost of (result.lost ?? []).slice(0, MOST)) lines.push(`  lost ${lost}`);
  for (const words of (result.failures ?? []).flatMap((failed) => failed.split("\n"))) lines.push(`  ${words}`);
  if (result.difference) {
    const { pointer, expected, actual } = result.difference;
    lines.push(`  differs at ${pointer || "the whole"}`, `    expected ${expected}`, `    actual   ${actual}`);
  }
  if (failure.entry) {
    const { line, verdict, because: reasons } = failure.entry;
    lines.push(`  expected on line ${line}: ${verdict}: ${reasons.join("; ")}`);
  }
  for (const [word, shown] of [["asked ", result.carried], ["answer", result.answer]]) {
    const text = shown?.text ?? shown?.begins?.text;
    if (text) lines.push(`  ${word} ${text.slice(0, SHOWN)}${text.length > SHOWN ? "…" : ""}`);
  }
  return [...lines, ...new Set(broken.map(({ rule }) => `  see: wirecanon explain ${rule}`))];
}

function because({ verdict, violations = [], lost = [], failures = [], difference }) {
  const reasons = violations.map(({ rule, pointer }) => `${rule} at ${pointer}`);
  reasons.push(...lost.map((text) => `lost ${text}`), ...failures);
  if (reasons.length === 0 && difference) reasons.push(`differs at ${difference.pointer}`);
  return `${verdict}: ${reasons.slice(0, 3).join("; ")}`;
}

module.exports = { Refused, describeCorpus };
