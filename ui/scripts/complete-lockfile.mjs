// Completes package-lock.json with the packages for other systems. npm leaves out those that the registry at hand does not
// carry, and `npm ci` then refuses the whole file. Run it after `npm install`: `npm run lock`.
import { readFileSync, writeFileSync } from "node:fs";

const systems = ["android", "darwin", "freebsd", "linux", "win32", "openharmony"];
const processors = ["arm64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));

for (const [parent, entry] of Object.entries({ ...lock.packages })) {
  // Where a package was fetched from says something about this machine only.
  delete entry.resolved;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] || lock.packages[`${parent}/${place}`]) continue;
    const words = name.split(/[-/]/);
    const system = systems.find((word) => words.includes(word));
    const processor = processors.find((word) => words.includes(word));
    lock.packages[place] = {
      version: version.replace(/^[~^]/, ""),
      ...(processor && { cpu: [processor] }),
      dev: true,
      ...(words.includes("musl") && { libc: ["musl"] }),
      optional: true,
      ...(system && { os: [system] }),
    };
  }
}
const sorted = Object.entries(lock.packages).toSorted(([one], [other]) => (one < other ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
