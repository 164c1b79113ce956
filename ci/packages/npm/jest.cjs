// For Jest, by its globals. A test of Jest cannot say while it runs that it is skipped: what is expected to fail passes.
"use strict";

const core = require("./describe.cjs");

const runner = {
  group: describe,
  // Jest takes a function with a parameter to be one that calls back.
  test: (name, hold) => test(name, () => hold()),
  before: beforeAll,
  skip: () => {},
  expected: () => {},
};

exports.Refused = core.Refused;
exports.describeCorpus = (options) => core.describeCorpus(runner, options);
