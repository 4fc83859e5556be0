// Adds the optional packages of other platforms to package-lock.json. npm omits packages that the registry does not carry, and
// `npm ci` then rejects the file. Run it after `npm install`: `npm run lock`.
import { readFileSync, writeFileSync } from "node:fs";

const systems = ["android", "darwin", "freebsd", "linux", "win32", "openharmony"];
const cpus = ["arm64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));

for (const [parent, entry] of Object.entries({ ...lock.packages })) {
  // The registry address depends on the machine.
  delete entry.resolved;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] || lock.packages[`${parent}/${path}`]) continue;
    const parts = name.split(/[-/]/);
    const system = systems.find((word) => parts.includes(word));
    const cpu = cpus.find((word) => parts.includes(word));
    lock.packages[path] = {
      version: version.replace(/^[~^]/, ""),
      ...(cpu && { cpu: [cpu] }),
      dev: true,
      ...(parts.includes("musl") && { libc: ["musl"] }),
      optional: true,
      ...(system && { os: [system] }),
    };
  }
}
const sorted = Object.entries(lock.packages).toSorted(([one], [other]) => (one < other ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
