// For Vitest: what is expected to fail is skipped, with its reason.
import { beforeAll, describe, test } from "vitest";
import core from "./describe.cjs";

const runner = {
  group: describe,
  test,
  before: beforeAll,
  skip: (context, why) => context.skip(why),
  expected: (context, why) => context.skip(why),
};

export const { Refused } = core;
export const describeCorpus = (options) => core.describeCorpus(runner, options);
