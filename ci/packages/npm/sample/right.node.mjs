import { describeCorpus } from "wirecanon/node";
import { right } from "./convert.cjs";

describeCorpus({ name: "right", from: "openai.chat", to: "openai.chat", convert: right() });
