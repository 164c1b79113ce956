const { describeCorpus } = require("wirecanon/jest");
const { wrong } = require("./convert.cjs");

describeCorpus({ name: "wrong", from: "openai.chat", to: "openai.chat", convert: wrong, timeout: 1 });
