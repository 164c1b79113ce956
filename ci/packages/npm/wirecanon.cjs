#!/usr/bin/env node
// The command `wirecanon`: starts the program and ends as it does.
"use strict";

const { spawnSync } = require("node:child_process");
const { program } = require("./program.cjs");

try {
  const found = program();
  const env = { ...process.env };
  // It may name this command, which then takes the package.
  delete env.WIRECANON;
  const done = spawnSync(found, process.argv.slice(2), { stdio: "inherit", env });
  if (done.error) throw new Error(`${found}: ${done.error.message}`);
  if (done.signal) process.kill(process.pid, done.signal);
  process.exitCode = done.status;
} catch (error) {
  console.error(`wirecanon: ${error.message}`);
  process.exitCode = 5;
}
