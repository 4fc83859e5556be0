// The answers of the core as they were recorded with the pictures of the screens, and the built UI, without a server: so the documents,
// the keys and the clock are the same each time. `--record` records them anew from the real core.

import { readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";

const dist = join(import.meta.dirname, "../dist");
const file = join(import.meta.dirname, "pictures/answers.json");
const ADDRESS = "http://screens.test/";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};

/** As in `ui-host`. */
const BRIDGE = `window.__TAURI_INTERNALS__ = {
  async invoke(command, args) {
    const answer = await fetch("/commands/" + command, { method: "POST", body: JSON.stringify(args ?? {}) });
    const value = await answer.json();
    if (!answer.ok) throw value;
    return value;
  },
};`;

/** Records the answers that a page gets, without passwords. */
export function record(page) {
  const answers = {};
  page.on("response", async (response) => {
    const [, command] = /\/commands\/(\w+)$/.exec(response.url()) ?? [];
    const text = command && (await response.text().catch(() => null));
    if (!text) return;
    answers[command] ??= {};
    const answer = JSON.parse(text, (name, value) => (name === "password" ? "recorded" : value));
    answers[command][argumentsOf(response.request())] = { status: response.status(), answer };
  });
  return answers;
}

/** Writes sets of answers by name, beside the others. They are shown with the clock of this moment. */
export function saveAnswers(sets) {
  const now = new Date().toISOString();
  const anew = Object.entries(sets).map(([name, answers]) => [name, { now, answers }]);
  const kept = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ ...kept, ...Object.fromEntries(anew) }, null, 2)}\n`);
}

/** The arguments without the binding, whose generation differs. */
function argumentsOf(request) {
  const { binding: _, ...rest } = request.postDataJSON() ?? {};
  return JSON.stringify(rest);
}

/**
 * A page with a set of recorded answers, and with other preferences. `change` gives another answer for one that was recorded, or one where none
 * was: a command without an answer is never answered. Preferences that are saved are told to the page with the next snapshot.
 */
export async function replay(browser, name, preferences, options, change = (_command, _args, answer) => answer) {
  const { now, answers } = JSON.parse(readFileSync(file, "utf8"))[name];
  const opened = await browser.page(options);
  const { page } = opened;
  await page.clock.setFixedTime(now);
  let saved = preferences;
  let snapshot;
  /** The request of the page for a snapshot that it does not have. */
  let poll;
  await page.route(`${ADDRESS}**`, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const [, command] = /^\/commands\/(\w+)$/.exec(path) ?? [];
    if (command) {
      const args = route.request().postDataJSON();
      if (command === "watch" && snapshot?.revision <= args.after) {
        poll = route;
        return;
      }
      if (command === "save_preferences") {
        saved = args.preferences;
        const { revision, preferencesSaved } = snapshot;
        snapshot = { ...snapshot, revision: revision + 1, preferencesSaved: preferencesSaved + 1 };
        const waiting = poll;
        poll = undefined;
        await route.fulfill({ json: null });
        await waiting?.fulfill({ json: snapshot });
        return;
      }
      const recorded = answers[command] ?? {};
      const found = recorded[argumentsOf(route.request())] ?? Object.values(recorded)[0];
      const answer = command === "preferences" ? { ...found.answer, ...saved } : found?.answer;
      const json = command === "watch" && snapshot ? snapshot : change(command, args, answer);
      if (command === "watch") snapshot = json;
      if (json !== undefined) await route.fulfill({ status: found?.status ?? 200, json });
      return;
    }
    const asset = path === "/" ? "index.html" : path.slice(1);
    if (asset === "ui-host.js") await route.fulfill({ contentType: TYPES[".js"], body: BRIDGE });
    else {
      const body = readFileSync(join(dist, asset));
      const withBridge =
        asset === "index.html" ? body.toString().replace("<script", '<script src="/ui-host.js"></script><script') : body;
      await route.fulfill({ contentType: TYPES[extname(asset)] ?? "application/octet-stream", body: withBridge });
    }
  });
  await page.goto(ADDRESS);
  return opened;
}
