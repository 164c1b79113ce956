// For node:test: what is expected to fail is `todo`, with its reason.
"use strict";

const { before, describe, test } = require("node:test");
const core = require("./describe.cjs");

const runner = {
  group: describe,
  test,
  before: (make, timeout) => before(make, { timeout }),
  skip: (context, why) => context.skip(why),
  expected: (context, why) => context.todo(why),
};

exports.Refused = core.Refused;
exports.describeCorpus = (options) => core.describeCorpus(runner, options);
