/** Search in organizations by each of their names, domain or id, insensitive to case, diacritics and Arabic letter forms. */

import type { OrganizationView } from "../ipc/bindings";

export function search(organizations: readonly OrganizationView[], text: string): OrganizationView[] {
  const terms = normalizeForSearch(text).split(/\s+/).filter(Boolean);
  return organizations.filter((organization) => {
    const searchable = normalizeForSearch(organization.foundBy.join(" "));
    return terms.every((term) => searchable.includes(term));
  });
}

/**
 * Latin without accents; Arabic without vowel marks and tatweel, with one form of alef, ya, kaf and ta marbuta, and without the
 * seats of hamza; digits 0 to 9.
 */
export function normalizeForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u0640ء]/gu, "")
    .replace(/[أإآٱ]/g, "ا")
    .replace(/[ىی]/g, "ي")
    .replace(/ک/g, "ك")
    .replace(/ة/g, "ه")
    .replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .toLowerCase();
}
