// The adapter that wirecanon starts: `node adapter.mjs`. It says what is converted; conversion.mjs converts.
// @ts-check

import { Testee } from "./wirecanon-testee.mjs"; // first: from here on, what packages print goes to stderr, and spoils no answer

import { convert } from "./conversion.mjs";

// The name that reports use, and the version of the program under test.
const testee = new Testee("my-testee", { version: "0.1.0" });

// A line for each pair of dialects: the one that your program reads, and the one that it writes. `wirecanon list dialects` has
// all names. A last argument, `["openai", "groq"]`, claims these servers alone: `wirecanon list targets`.
testee.converts("openai.chat", "openai.chat", convert);

await testee.run();
