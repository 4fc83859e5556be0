/** Finds codes of a list by what is typed: the code, or words of its name. */

import type { Choice } from "../components/Select";
import { withLatinDigits } from "../i18n/digits";
import type { Localizer } from "../i18n/localizer";
import { normalizeForSearch, queryWords } from "../organizations/search";
import { type CodeList, choiceOf } from "./codeLists";

/** A code with its searchable forms. */
export interface SearchableCode {
  choice: Choice<string>;
  code: string;
  /** Its name, and other words for it. */
  names: readonly string[];
}

/** All codes of a list: the common ones, then the others that have a name, then those without. */
export function searchableCodes(list: CodeList, localizer: Localizer): SearchableCode[] {
  const isNamed = (code: string) => list.nameOf(code, localizer) !== "";
  const others = list.all.split(" ").filter((code) => code !== "" && !list.common.includes(code));
  const codes = [...list.common, ...others.filter(isNamed), ...others.filter((code) => !isNamed(code))];
  return codes.map((code) => {
    const names = [list.nameOf(code, localizer), ...(list.wordsOf?.(code) ?? [])];
    return {
      choice: choiceOf(list, code, localizer),
      code: normalizeForSearch(code),
      names: names.filter((name) => name !== "").map(normalizeForSearch),
    };
  });
}

/** The codes that fit what is typed, the best ones first. All of them if nothing is typed. */
export function findCodes(codes: readonly SearchableCode[], typed: string): Choice<string>[] {
  const words = queryWords(typed);
  if (words.length === 0) return codes.map(({ choice }) => choice);
  const found = codes.flatMap((each) => {
    const rank = rankOf(each, words);
    return rank === null ? [] : [{ choice: each.choice, rank }];
  });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ choice }) => choice);
}

/** How well a code fits: the lower, the better. `null`: not at all. */
function rankOf({ code, names }: SearchableCode, words: readonly string[]): number | null {
  const query = words.join(" ");
  if (code === query) return 0;
  if (names.includes(query)) return 1;
  if (names.some((name) => name.startsWith(query))) return 2;
  if (code.startsWith(query)) return 3;
  const all = ` ${names.join(" ")} ${code}`;
  if (words.every((word) => all.includes(` ${word}`))) return 4;
  return words.every((word) => all.includes(word)) ? 5 : null;
}

/** What is typed as a code, in capital letters, if the rules of some country accept one of its form beside the list; else `null`. */
export function typedCode({ others }: CodeList, typed: string): string | null {
  const code = withLatinDigits(typed.trim()).toUpperCase();
  return others?.test(code) ? code : null;
}
