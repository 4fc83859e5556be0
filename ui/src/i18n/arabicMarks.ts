/** Arabic words that end in a vowel mark, on their line in every web view. */

const MARK = "[\\u064B-\\u0652\\u0670]";

/** The end of a word that has a mark there, or a ligature of lam and alef with one. */
const LAST = `(${MARK}|\\u0644${MARK}+[\\u0622\\u0623\\u0625\\u0627])`;

const WITHOUT_JOINER = new RegExp(`${LAST}(?![\\u0621-\\u0652\\u0670\\u200C])`, "g");
const WITH_JOINER = new RegExp(`${LAST}\\u200C`, "g");

/**
 * WebKitGTK 2.50 takes the offset of the glyph that is leftmost for the start of its word: a mark there moves the whole word up or
 * down. A zero-width non-joiner after it becomes that glyph, and shows nothing.
 */
export function keepOnLine(text: string): string {
  return text.replace(WITHOUT_JOINER, "$1\u200C");
}

/** The text without what `keepOnLine` has added, for files and the clipboard. */
export function withoutJoiners(text: string): string {
  return text.replace(WITH_JOINER, "$1");
}
