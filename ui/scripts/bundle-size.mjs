// Fails if what a window needs for its first screen is larger than the limits: the code of the entry and of the screen, with
// everything that they import statically, and the texts of one language. Reads the manifest of the build.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const CODE_LIMIT_KIB = 150;
const TEXTS_LIMIT_KIB = 20;
const ENTRY = "index.html";
const SCREENS = ["src/shell/AppShell.tsx", "src/session/SignInScreen.tsx"];
const LANGUAGES = ["src/i18n/texts/en.ts", "src/i18n/texts/ar.ts"];

const dist = join(import.meta.dirname, "../dist");
const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"));

/** The files of chunks and of what they import statically. */
function closure(names, files = new Set()) {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build has no chunk ${name}`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    closure(chunk.imports ?? [], files);
  }
  return files;
}

/** The size of files after gzip, in KiB, rounded up. */
function size(files) {
  const bytes = [...files]
    .filter((file) => file.endsWith(".js"))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
  return Math.ceil(bytes / 1024);
}

let failed = false;
function hold(name, found, limit) {
  console.log(`${name}: ${found} KiB (gzip), limit ${limit}`);
  failed ||= found > limit;
}
for (const screen of SCREENS) hold(screen, size(closure([ENTRY, screen])), CODE_LIMIT_KIB);
for (const language of LANGUAGES) hold(language, size(closure([language])), TEXTS_LIMIT_KIB);
process.exit(failed ? 1 : 0);
