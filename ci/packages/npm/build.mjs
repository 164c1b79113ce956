// Packs the program for npm: `wirecanon`, which has the helper for tests, and one package for each system, which has the program
// and which npm installs on that system alone.
//
//   node ci/packages/npm/build.mjs OUT SYSTEM=PROGRAM…   SYSTEM is linux-x64, darwin-arm64, win32-x64, …: `process.platform`, `process.arch`
//
// It leaves folders in OUT that `npm pack` and `npm publish` take.
import fs from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const [out, ...programs] = process.argv.slice(2);
const systems = programs.map((word) => /^(\w+)-(\w+)=(.+)$/.exec(word));
if (!out || systems.length === 0 || systems.includes(null)) {
  console.error("usage: build.mjs OUT SYSTEM=PROGRAM…");
  process.exit(2);
}
const main = JSON.parse(fs.readFileSync(path.join(here, "package.json"), "utf8"));
const { version, license, repository } = main;
const top = path.join(here, "../../..");

/** Writes one package. */
function write(folder, manifest, files) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const licences = fs.readdirSync(top).filter((name) => name.startsWith("LICENSE-"));
  for (const [name, source] of [...files, ...licences.map((name) => [name, path.join(top, name)])]) {
    fs.copyFileSync(source, path.join(folder, name));
  }
}

main.optionalDependencies = {};
for (const [, os, cpu, program] of systems) {
  const name = `@wirecanon/${os}-${cpu}`;
  const file = os === "win32" ? "wirecanon.exe" : "wirecanon";
  const description = `The program wirecanon for ${os} on ${cpu}.`;
  // npm takes a name with an `@` to be private unless told otherwise.
  const publishConfig = { access: "public" };
  const manifest = { name, version, description, license, repository, publishConfig, os: [os], cpu: [cpu] };
  write(path.join(out, `${os}-${cpu}`), manifest, [[file, program]]);
  fs.chmodSync(path.join(out, `${os}-${cpu}`, file), 0o755);
  main.optionalDependencies[name] = version;
}
const own = fs.readdirSync(here).filter((name) => /\.cjs$|^vitest\.mjs$|\.d\.ts$|^README\.md$/.test(name));
write(path.join(out, "wirecanon"), main, own.map((name) => [name, path.join(here, name)]));
