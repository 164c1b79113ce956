// Where the program is: WIRECANON, or the package of this system. What is called `wirecanon` on the path is this package's own
// command, since npm puts it there.
"use strict";

const name = `@wirecanon/${process.platform}-${process.arch}`;

/** @returns {string} */
function program() {
  if (process.env.WIRECANON) return process.env.WIRECANON;
  try {
    return require.resolve(`${name}/wirecanon${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    throw new Error(`there is no package ${name} here: was it installed with --omit=optional? WIRECANON names another program`);
  }
}

module.exports = { program };
