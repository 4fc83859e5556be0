/** Finding an organization by any part of its name, domain or id, whatever the case, the marks and the form of the letters. */

import type { OrganizationView } from "../ipc/bindings";

export function search(organizations: readonly OrganizationView[], text: string): OrganizationView[] {
  const wanted = normalizeForSearch(text).split(/\s+/).filter(Boolean);
  return organizations.filter((organization) => {
    const where = normalizeForSearch(`${organization.name} ${organization.domain} ${organization.id}`);
    return wanted.every((word) => where.includes(word));
  });
}

/** Latin without accents; Arabic without vowel marks and tatweel, and with one form of alef, ya and ta marbuta. */
export function normalizeForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\u0640]/gu, "")
    .replace(/[أإآٱ]/g, "ا")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .toLowerCase();
}
