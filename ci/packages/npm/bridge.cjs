// The testee that wirecanon starts: it hands every line on to the process that has the function, and back.
//
// WIRECANON_BRIDGE is the path of a socket in a folder that only its owner can enter. With WIRECANON_LIST, which is the answer to
// `hello`, it has no function and says so of each case: that finds the cases.
"use strict";

const net = require("node:net");
const lines = require("./lines.cjs");

if (process.env.WIRECANON_LIST) {
  lines.each(process.stdin, (line) => {
    // The whole of an input is not needed, and large.
    const asked = /^\{"id":(\d+),"op":"convert"/.exec(line);
    if (asked) process.stdout.write(`{"id":${asked[1]},"failed":"not asked yet"}\n`);
    else if (line.includes('"hello"')) process.stdout.write(`${process.env.WIRECANON_LIST}\n`);
    else process.exit(0);
  });
} else {
  const way = net.connect(process.env.WIRECANON_BRIDGE);
  way.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  way.on("close", () => process.exit(0));
  process.stdin.pipe(way);
  way.pipe(process.stdout);
}
