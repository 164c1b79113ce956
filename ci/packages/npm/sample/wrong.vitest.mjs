import { describeCorpus } from "wirecanon/vitest";
import { wrong } from "./convert.cjs";

describeCorpus({ name: "wrong", from: "openai.chat", to: "openai.chat", convert: wrong, timeout: 1 });
