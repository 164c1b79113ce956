// Reads reports of a run as the programs of others do: node reports.mjs FOLDER, with `report-junit.xml` and `report-tap.txt`. What they read
// goes to stdout as JSON.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const tools = createRequire(path.join(process.env.WIRECANON_BROWSER, 'package.json'));
const read = (name) => readFileSync(path.join(process.argv[2], name), 'utf8');

const { Parser } = tools('tap-parser');
const tap = await new Promise((resolve) => {
  const wrong = [];
  const tests = [];
  const parser = new Parser({ strict: true }, (results) => resolve({ wrong, tests, count: results.count, pass: results.pass, todo: results.todo, bailout: results.bailout }));
  parser.on('extra', (text) => wrong.push(text));
  parser.on('assert', ({ ok, name, diag, todo }) => tests.push({ ok, name, diag: diag ?? null, todo: todo || null }));
  parser.end(read('report-tap.txt'));
});

// It has an entry for modules alone, which `require` of older Node.js does not know.
const { parse } = await import(pathToFileURL(path.join(process.env.WIRECANON_BROWSER, 'node_modules/junit2json/dist/esm/index.js')));
const junit = await parse(read('report-junit.xml'));

console.log(JSON.stringify({ tap, junit }));
