const { describeCorpus } = require("wirecanon/jest");
const { right } = require("./convert.cjs");

describeCorpus({ name: "right", from: "openai.chat", to: "openai.chat", convert: right() });
