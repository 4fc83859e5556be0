/** Search in organizations by each of their names, domain or id, insensitive to case, diacritics and Arabic letter forms. */

import { withLatinDigits } from "../i18n/digits";
import type { OrganizationView } from "../ipc/bindings";

export function search(organizations: readonly OrganizationView[], text: string): OrganizationView[] {
  const terms = queryWords(text);
  return organizations.filter((organization) => {
    const searchable = normalizeForSearch(organization.foundBy.join(" "));
    return terms.every((term) => searchable.includes(term));
  });
}

/** The words of a query, in their searchable form. */
export function queryWords(query: string): string[] {
  return normalizeForSearch(query).split(/\s+/).filter(Boolean);
}

/**
 * Latin without accents; Arabic without vowel marks and tatweel, with one form of alef, ya, kaf and ta marbuta, and without the
 * seats of hamza; digits 0 to 9.
 */
export function normalizeForSearch(text: string): string {
  return withLatinDigits(text.normalize("NFKD"))
    .replace(/[\p{M}\u0640ء]/gu, "")
    .replace(/[أإآٱ]/g, "ا")
    .replace(/[ىی]/g, "ي")
    .replace(/ک/g, "ك")
    .replace(/ة/g, "ه")
    .toLowerCase();
}
