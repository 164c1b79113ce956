import { describeCorpus } from "wirecanon/vitest";
import { right } from "./convert.cjs";

describeCorpus({ name: "right", from: "openai.chat", to: "openai.chat", convert: right() });
