/** Fuzzy matching of names in Latin and Arabic script, with the places that match, for display. */

import { normalizeForSearch } from "../organizations/search";

export interface Match {
  /** The higher, the better. */
  score: number;
  /** The parts of the text that match, as UTF-16 offsets, in order and apart. */
  ranges: readonly (readonly [number, number])[];
}

/** A text with its searchable form, and where each searchable character comes from. */
interface Searchable {
  text: string;
  /** Offset of the source character of each character of `text`, and the offset after it. */
  sources: readonly (readonly [number, number])[];
}

const WHOLE = 120;
const START = 100;
const WORD = 80;
const INSIDE = 50;
const LETTERS = 30;

/** How many other letters may be between the letters of a word that is not written in one piece. */
const MAX_GAPS = 10;

const prepared = new Map<string, Searchable>();

/**
 * How well something with these texts fits a query of these words; `null` if a word is in none. Each word may be in any of them, and the
 * first text, which is shown, counts more. Unless `scattered`, the letters of a word have to stand together.
 */
export function matchAny(texts: readonly string[], words: readonly string[], scattered = true): Match | null {
  let score = 0;
  const ranges: [number, number][] = [];
  for (const word of words) {
    let best: { score: number; ranges: readonly (readonly [number, number])[] } | null = null;
    for (const [index, text] of texts.entries()) {
      const found = matchWord(prepare(text), word, scattered);
      if (!found) continue;
      const weighted = { score: index === 0 ? found.score : found.score * 0.8, ranges: index === 0 ? found.ranges : [] };
      if (!best || weighted.score > best.score) best = weighted;
    }
    if (!best) return null;
    score += best.score;
    for (const [from, to] of best.ranges) ranges.push([from, to]);
  }
  return { score: score / Math.max(1, words.length), ranges: merged(ranges) };
}

function matchWord({ text, sources }: Searchable, word: string, scattered: boolean): Match | null {
  const range = (from: number, to: number): [number, number] => [sources[from]?.[0] ?? 0, sources[to - 1]?.[1] ?? 0];
  let inside = -1;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWordStart(text, at)) {
      const score = at > 0 ? WORD : text.length === word.length ? WHOLE : START;
      return { score, ranges: [range(at, at + word.length)] };
    }
    if (inside < 0) inside = at;
  }
  if (inside >= 0 && word.length > 1) return { score: INSIDE, ranges: [range(inside, inside + word.length)] };
  return scattered && word.length > 1 ? matchLetters(text, word, range) : null;
}

/** The letters of a word in their order, from the start of some word of the text, as `ni` in `New invoice`. */
function matchLetters(text: string, word: string, range: (from: number, to: number) => [number, number]): Match | null {
  for (let start = text.indexOf(word.charAt(0)); start >= 0; start = text.indexOf(word.charAt(0), start + 1)) {
    if (!isWordStart(text, start)) continue;
    const ranges = [range(start, start + 1)];
    let last = start;
    let gaps = 0;
    for (const letter of word.slice(1)) {
      const at = nextOf(text, letter, last + 1);
      if (at < 0) {
        gaps = MAX_GAPS + 1;
        break;
      }
      // A letter at the start of a word is no gap: the query names its words by their first letters.
      if (!isWordStart(text, at)) gaps += at - last - 1;
      ranges.push(range(at, at + 1));
      last = at;
    }
    if (gaps <= MAX_GAPS) return { score: LETTERS - gaps, ranges };
  }
  return null;
}

/** Where the letter comes next: directly after, else at the start of a word, else anywhere. */
function nextOf(text: string, letter: string, from: number): number {
  if (text.charAt(from) === letter) return from;
  const first = text.indexOf(letter, from);
  for (let at = first; at >= 0; at = text.indexOf(letter, at + 1)) if (isWordStart(text, at)) return at;
  return first;
}

/** After a space or a sign, and after the Arabic article. */
function isWordStart(text: string, at: number): boolean {
  if (at === 0 || !isLetter(text.charAt(at - 1))) return true;
  return text.slice(at - 2, at) === "ال" && (at === 2 || !isLetter(text.charAt(at - 3)));
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function prepare(text: string): Searchable {
  const known = prepared.get(text);
  if (known) return known;
  // Names of organizations and commands: few. Documents come and go.
  if (prepared.size > 2000) prepared.clear();
  let normalized = "";
  const sources: [number, number][] = [];
  let offset = 0;
  for (const character of text) {
    const end = offset + character.length;
    for (const part of normalizeForSearch(character)) {
      normalized += part;
      for (let unit = 0; unit < part.length; unit += 1) sources.push([offset, end]);
    }
    offset = end;
  }
  const searchable = { text: normalized, sources };
  prepared.set(text, searchable);
  return searchable;
}

function merged(ranges: [number, number][]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
