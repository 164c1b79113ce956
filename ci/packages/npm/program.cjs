// Where the program is: WIRECANON, or the package of this system, or `wirecanon` on the path.
"use strict";

const name = `@wirecanon/${process.platform}-${process.arch}`;

/** @returns {string} */
function program() {
  if (process.env.WIRECANON) return process.env.WIRECANON;
  try {
    return require.resolve(`${name}/wirecanon${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return "wirecanon";
  }
}

module.exports = { program };
