// Fails on physical CSS directions (left, right): right-to-left layout needs logical properties.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../src");
const utility =
  /(?<![\w-])-?(?:ml|mr|pl|pr|left|right|border-l|border-r|rounded-l|rounded-r|rounded-tl|rounded-tr|rounded-bl|rounded-br|scroll-ml|scroll-mr|scroll-pl|scroll-pr)-(?:\[|\d|px|auto|full|none|sm|md|lg|line|fg|accent)|(?<![\w-])(?:text-left|text-right|float-left|float-right|clear-left|clear-right)(?![\w-])/;
const style = /\b(?:margin|padding|border)-?(?:Left|Right|left|right)\b|^\s*(?:left|right)\s*:/;

const found = [];
const files = readdirSync(root, { recursive: true }).filter((file) => /\.(tsx?|css)$/.test(file));
for (const file of files) {
  readFileSync(join(root, file), "utf8")
    .split("\n")
    .forEach((line, index) => {
      if (utility.test(line) || style.test(line)) found.push(`src/${file}:${index + 1}: ${line.trim()}`);
    });
}
if (found.length > 0) {
  console.error(found.join("\n"));
  console.error(`logical properties: ${found.length} physical directions`);
  process.exit(1);
}
console.log(`logical properties: ${files.length} files checked`);
