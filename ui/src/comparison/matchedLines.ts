/** Which lines of two versions of a document are the same: those with the same id, as in the core. */

import type { LineContent } from "../ipc/bindings";

/** A line of a version. */
export interface NamedLine {
  /** The same in both versions for the same line. */
  key: string;
  /** From 1. */
  number: number;
  line: LineContent;
}

/** Whether all lines have ids of their own. */
function areIdentified(lines: readonly LineContent[]): boolean {
  const ids = new Set(lines.map(({ id }) => id ?? ""));
  return ids.size === lines.length && !ids.has("");
}

/** The lines of a version to which others are compared. */
export function baseLines(lines: readonly LineContent[]): NamedLine[] {
  const identified = areIdentified(lines);
  return lines.map((line, index) => ({ key: identified ? (line.id ?? "") : String(index), number: index + 1, line }));
}

/**
 * The lines of another version: a line of the base has its key, a new one a key that begins with `side`. `null` if it cannot be
 * told which line is which: the lines have no ids, as those of an earlier version of the program, and their number differs.
 */
export function matchLines(base: readonly LineContent[], other: readonly LineContent[], side: string): NamedLine[] | null {
  if (!areIdentified(base)) return base.length === other.length ? baseLines(other).map(byPosition) : null;
  const free = new Set(base.map(({ id }) => id));
  return other.map((line, index) => {
    // A copy of a line has its id as well: the first one is the line itself.
    const known = free.delete(line.id ?? "");
    return { key: known ? (line.id ?? "") : `${side} ${index}`, number: index + 1, line };
  });
}

function byPosition(named: NamedLine, index: number): NamedLine {
  return { ...named, key: String(index) };
}
