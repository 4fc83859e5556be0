/** Initials of a person. */

/** The first letters of the first and last word. Arabic names give only the first letter, because two would join. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = [...(words[0] ?? "")][0] ?? "";
  const last = words.length > 1 ? ([...(words.at(-1) ?? "")][0] ?? "") : "";
  return /\p{Script=Arabic}/u.test(first) ? first : (first + last).toUpperCase();
}
