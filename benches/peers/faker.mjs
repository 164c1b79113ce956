// Instances of a schema by json-schema-faker: SCHEMA COUNT SECONDS FILE.
import { readFileSync, writeFileSync } from "node:fs";
import { createGeneratorSync } from "json-schema-faker";

const [schemaFile, count, seconds, file] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
const options = { seed: 1, optionalsProbability: 0.5, minItems: 0, maxItems: 4 };
const generator = createGeneratorSync(options);
generator.generate(schema);

const made = [];
// Seconds that the process has worked.
const worked = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const start = worked();
while (made.length < Number(count) && worked() - start < Number(seconds)) {
  made.push(JSON.stringify(generator.generate(schema)));
}
const took = worked() - start;
writeFileSync(file, made.map((text) => text + "\n").join(""));
console.log(`${made.length}\t${took}`);
