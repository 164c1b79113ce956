// The lines of a stream. Not `node:readline`: that ends a line at U+2028 and U+2029 too, which may stand in JSON.
"use strict";

/** @param {import("node:stream").Readable} stream @param {(line: string) => void} take */
function each(stream, take) {
  let rest = [];
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const parts = chunk.split("\n");
    if (parts.length > 1) {
      take(rest.join("") + parts[0]);
      parts.slice(1, -1).forEach(take);
      rest = [];
    }
    rest.push(parts.at(-1));
  });
}

module.exports = { each };
