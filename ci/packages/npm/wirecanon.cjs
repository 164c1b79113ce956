#!/usr/bin/env node
// The command `wirecanon`: starts the program, hands signals on to it, and ends as it does.
"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");
const { program } = require("./program.cjs");

let child;
// Before it starts: a signal must not end this process alone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child?.kill(signal));
try {
  const found = program();
  const env = { ...process.env };
  // It may name this command, which then takes the package.
  delete env.WIRECANON;
  child = spawn(found, process.argv.slice(2), { stdio: "inherit", env });
  child.on("error", (error) => notStarted(`${found}: ${error.message}`));
  child.on("exit", (code, signal) => {
    // Of a signal that does not end this process, what a shell says of one that was ended.
    process.exitCode = code ?? 128 + os.constants.signals[signal];
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
} catch (error) {
  notStarted(error.message);
}

function notStarted(words) {
  console.error(`wirecanon: ${words}`);
  process.exitCode = 5;
}
