/** Search in organizations by name, domain or id, insensitive to case, diacritics and Arabic letter forms. */

import type { OrganizationView } from "../ipc/bindings";

export function search(organizations: readonly OrganizationView[], text: string): OrganizationView[] {
  const terms = normalizeForSearch(text).split(/\s+/).filter(Boolean);
  return organizations.filter((organization) => {
    const searchable = normalizeForSearch(`${organization.name} ${organization.domain} ${organization.id}`);
    return terms.every((term) => searchable.includes(term));
  });
}

/** Latin without accents; Arabic without vowel marks and tatweel, with one form of alef, ya and ta marbuta. */
export function normalizeForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u0640]/gu, "")
    .replace(/[أإآٱ]/g, "ا")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .toLowerCase();
}
