/** What the command palette can find without the service: commands, organizations, screens, loaded documents, drafts; and how it is ranked. */

import { queryWords } from "../organizations/search";
import { matchAny } from "./fuzzy";

export type EntryKind = "command" | "organization" | "screen" | "document" | "buyer";

/** The groups in the order of an empty search. Documents and buyers are last: their answers come later, and must not move the others. */
const groupOrder = ["command", "screen", "organization", "document", "buyer"] as const satisfies readonly EntryKind[];

export interface Entry {
  /** Unique, and the same each time: recents are found by it. */
  id: string;
  kind: EntryKind;
  label: string;
  /** What else the entry is found by. */
  also: readonly string[];
  /** The service found it: it is shown although no text of it fits. */
  found?: boolean;
  /** It is shown only if it fits what was typed. */
  typedOnly?: true;
  run: () => void;
}

export interface RankedEntry<T extends Entry> {
  entry: T;
  ranges: readonly (readonly [number, number])[];
}

export interface Group<T extends Entry> {
  id: EntryKind | "recent";
  entries: readonly RankedEntry<T>[];
}

/** How many entries a group shows. */
const SHOWN = 8;

/** The groups for what was typed. With nothing typed, what was used last comes first. */
export function groupsOf<T extends Entry>(entries: readonly T[], query: string, recents: readonly string[]): Group<T>[] {
  const words = queryWords(query);
  return words.length === 0 ? initialGroups(entries, recents) : rankedGroups(entries, words, recents);
}

function initialGroups<T extends Entry>(entries: readonly T[], recents: readonly string[]): Group<T>[] {
  const recent = recents.flatMap((id) => entries.find((entry) => entry.id === id) ?? []);
  const rest = entries.filter(
    (entry) => entry.kind !== "document" && entry.kind !== "buyer" && !entry.typedOnly && !recent.includes(entry),
  );
  const plain = (list: readonly T[]) => list.map((entry) => ({ entry, ranges: [] }));
  return withEntries([
    { id: "recent", entries: plain(recent) },
    ...groupOrder.map((kind) => ({ id: kind, entries: plain(rest.filter((entry) => entry.kind === kind)) })),
  ]);
}

function rankedGroups<T extends Entry>(entries: readonly T[], words: readonly string[], recents: readonly string[]): Group<T>[] {
  const found = entries.flatMap((entry) => {
    // In the names of many buyers, some letters of any word are found.
    const scattered = entry.kind !== "document" && entry.kind !== "buyer";
    const matched = matchAny([entry.label, ...entry.also], words, scattered) ?? (entry.found ? { score: 0, ranges: [] } : null);
    if (!matched) return [];
    const place = recents.indexOf(entry.id);
    return [{ entry, ranges: matched.ranges, score: matched.score + (place < 0 ? 0 : Math.max(1, 8 - place)) }];
  });
  found.sort((a, b) => b.score - a.score || excess(a.entry) - excess(b.entry));
  const groups = groupOrder.map((kind) => ({
    id: kind,
    entries: found.filter(({ entry }) => entry.kind === kind).slice(0, SHOWN),
  }));
  const best = (group: (typeof groups)[number]) => {
    if (group.id === "buyer") return -2;
    return group.id === "document" ? -1 : (group.entries[0]?.score ?? 0);
  };
  return withEntries(groups.toSorted((a, b) => best(b) - best(a)));
}

/** Of labels that fit equally well, the one with fewer other letters comes first. Documents stay as the service orders them. */
function excess({ kind, label }: Entry): number {
  return kind === "document" ? 0 : label.length;
}

function withEntries<T extends Entry>(groups: readonly Group<T>[]): Group<T>[] {
  return groups.filter(({ entries }) => entries.length > 0);
}
