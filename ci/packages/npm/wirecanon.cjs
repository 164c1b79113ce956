#!/usr/bin/env node
// The command `wirecanon`: starts the program and ends as it does.
"use strict";

const { spawnSync } = require("node:child_process");
const { program } = require("./program.cjs");

const found = program();
const done = spawnSync(found, process.argv.slice(2), { stdio: "inherit" });
if (done.error) {
  console.error(`wirecanon: ${found}: ${done.error.message}; was it installed with --omit=optional?`);
  process.exitCode = 5;
} else if (done.signal) {
  process.kill(process.pid, done.signal);
} else {
  process.exitCode = done.status;
}
