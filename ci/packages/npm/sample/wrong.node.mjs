import { describeCorpus } from "wirecanon/node";
import { wrong } from "./convert.cjs";

describeCorpus({ name: "wrong", from: "openai.chat", to: "openai.chat", convert: wrong, timeout: 1 });
