// Fails if the JavaScript that a window needs for its first screen is larger than the limit: the entry, the screen and one
// language, with everything that they import statically. Reads the manifest of the build.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT_KIB = 150;
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

let failed = false;
for (const screen of SCREENS) {
  for (const language of LANGUAGES) {
    const files = [...closure([ENTRY, screen, language])].filter((file) => file.endsWith(".js"));
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
    const size = Math.ceil(bytes / 1024);
    console.log(`bundle: ${screen} with ${language}: ${size} KiB in ${files.length} files (gzip), limit ${LIMIT_KIB}`);
    failed ||= bytes > LIMIT_KIB * 1024;
  }
}
process.exit(failed ? 1 : 0);
