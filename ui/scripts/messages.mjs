// Generates src/i18n/messages.ts, the types of all messages and their arguments, from locales/. --check compares only.
// Fails if the languages differ in messages or arguments, if a plural lacks a category of its language, and on an unused message.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@fluent/syntax";

const root = join(import.meta.dirname, "..");
const target = join(root, "src/i18n/messages.ts");
const plurals = { en: ["one", "other"], ar: ["zero", "one", "two", "few", "many", "other"] };
const categories = new Set(plurals.ar);
const problems = [];

const english = read("en");
const arabic = read("ar");
compare();
findUnused();

if (problems.length > 0) {
  console.error(problems.join("\n"));
  console.error(`messages: ${problems.length} problems`);
  process.exit(1);
}
const source = render();
const current = readIfExists(target);
if (current !== source) {
  if (process.argv.includes("--check")) {
    console.error("messages: src/i18n/messages.ts is out of date, run `npm run messages`");
    process.exit(1);
  }
  writeFileSync(target, source);
}
console.log(`messages: ${english.size} in 2 languages`);

/** All messages of a language with their arguments. */
function read(language) {
  const folder = join(root, "locales", language);
  const messages = new Map();
  for (const file of readdirSync(folder).toSorted()) {
    const { body } = parse(readFileSync(join(folder, file), "utf8"), {});
    for (const entry of body) {
      if (entry.type === "Junk") problems.push(`${language}/${file}: cannot be read: ${entry.content.split("\n")[0]}`);
      if (entry.type !== "Message" || !entry.value) continue;
      const id = entry.id.name;
      if (messages.has(id)) problems.push(`${language}/${file}: ${id} is defined twice`);
      const found = { args: new Map(), plural: new Set() };
      visit(entry.value, found, `${language}/${file}: ${id}`, language);
      messages.set(id, found);
    }
  }
  return messages;
}

/** Collects the arguments of a pattern and checks its plurals. */
function visit(node, found, where, language) {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, found, where, language);
    return;
  }
  if (node === null || typeof node !== "object") return;
  if (node.type === "VariableReference" && !found.args.has(node.id.name)) found.args.set(node.id.name, "text");
  if (node.type === "SelectExpression" && node.selector.type === "VariableReference") {
    const keys = node.variants.map((variant) => variant.key.name ?? variant.key.value);
    const name = node.selector.id.name;
    if (keys.some((key) => categories.has(key) && key !== "other")) {
      found.plural.add(name);
      found.args.set(name, "number");
      const missing = plurals[language].filter((arm) => !keys.includes(arm));
      if (missing.length > 0) problems.push(`${where}: plural of $${name} lacks ${missing.join(", ")}`);
    }
  }
  for (const value of Object.values(node)) visit(value, found, where, language);
}

function compare() {
  for (const id of arabic.keys()) if (!english.has(id)) problems.push(`ar: ${id} is not in English`);
  for (const [id, { args, plural }] of english) {
    const other = arabic.get(id);
    if (!other) {
      problems.push(`ar: ${id} is missing`);
      continue;
    }
    for (const name of args.keys()) if (!other.args.has(name)) problems.push(`ar: ${id} does not use $${name}`);
    for (const name of other.args.keys())
      if (!args.has(name)) problems.push(`ar: ${id} uses $${name}, which English does not have`);
    for (const name of plural) if (!other.plural.has(name)) problems.push(`ar: ${id} has no plural of $${name}`);
  }
}

/** A message is used if a source contains its id, or a template literal with a prefix of it, such as `rule-${id}`. */
function findUnused() {
  const files = readdirSync(join(root, "src"), { recursive: true }).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith("messages.ts"),
  );
  const text = files.map((file) => readFileSync(join(root, "src", file), "utf8")).join("\n");
  const literals = new Set([...text.matchAll(/["`]([a-z][\w-]*)["`]/g)].map((match) => match[1]));
  const prefixes = [...text.matchAll(/`([a-z][\w-]*-)\$\{/g)].map((match) => match[1]);
  for (const id of english.keys()) {
    if (!literals.has(id) && !prefixes.some((prefix) => id.startsWith(prefix))) problems.push(`${id} is not used`);
  }
}

function render() {
  const lines = [...english]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { args }]) => {
      const fields = [...args]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, type]) => `${name}: ${type === "number" ? "number" : "string | number"}`);
      return `  "${id}": ${fields.length === 0 ? "None" : `{ ${fields.join("; ")} }`};`;
    });
  return `// Generated from locales/ by \`npm run messages\`.\n\n/** No arguments. */\nexport type None = Record<never, never>;\n\n/** Every message and its arguments. */\nexport interface Messages {\n${lines.join("\n")}\n}\n`;
}

function readIfExists(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
