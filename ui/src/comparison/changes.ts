/** The differences between two versions of a document. */

import type { InvoiceContent, LineContent } from "../ipc/bindings";
import { documentParts, isSame, lineParts, type Parts } from "./contentParts";
import { baseLines, matchLines, type NamedLine } from "./matchedLines";

/** What a difference or a conflict is about. */
export type Subject =
  | { of: "document"; path: string }
  | { of: "cell"; line: NamedLine; path: string }
  /** A whole line, which one of the versions does not have. */
  | { of: "line"; line: NamedLine }
  /** Lines that both sides have added. */
  | { of: "addedLines" }
  | { of: "order" }
  /** All lines, if it cannot be told which is which. */
  | { of: "lines" };

export interface Change {
  subject: Subject;
  /** Of a document or cell its part, of a line the line or `undefined`, else the lines. */
  before: unknown;
  after: unknown;
}

/** Identifies a subject within a comparison. */
export function subjectId(subject: Subject): string {
  switch (subject.of) {
    case "document":
      return subject.path;
    case "cell":
      return `line ${subject.line.key} ${subject.path}`;
    case "line":
      return `line ${subject.line.key}`;
    case "addedLines":
    case "order":
    case "lines":
      return subject.of;
  }
}

/** The differences from one version to the next: the document's first, then those of the lines in their order. `side` names new lines. */
export function changesBetween(before: InvoiceContent, after: InvoiceContent, side = "new"): Change[] {
  const changes = partChanges(documentParts(before), documentParts(after), (path) => ({ of: "document", path }));
  return [...changes, ...lineChanges(before.lines, after.lines, side)];
}

function partChanges(before: Parts, after: Parts, subjectOf: (path: string) => Subject): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !isSame(before.get(path), after.get(path)))
    .map((path) => ({ subject: subjectOf(path), before: before.get(path), after: after.get(path) }));
}

function lineChanges(before: readonly LineContent[], after: readonly LineContent[], side: string): Change[] {
  const base = baseLines(before);
  const other = matchLines(before, after, side);
  if (!other) return [{ subject: { of: "lines" }, before, after }];
  const [earlier, later] = [byKey(base), byKey(other)];
  const changes = other.flatMap((line): Change[] => {
    const was = earlier.get(line.key);
    if (!was) return [{ subject: { of: "line", line }, before: undefined, after: line.line }];
    return partChanges(lineParts(was.line), lineParts(line.line), (path) => ({ of: "cell", line, path }));
  });
  const removed = base
    .filter(({ key }) => !later.has(key))
    .map((line): Change => ({ subject: { of: "line", line }, before: line.line, after: undefined }));
  const order = isMoved(base, other) ? [{ subject: { of: "order" as const }, before: before.slice(), after: after.slice() }] : [];
  return [...changes, ...removed, ...order];
}

export function byKey(lines: readonly NamedLine[]): Map<string, NamedLine> {
  return new Map(lines.map((line) => [line.key, line]));
}

/** Whether the lines that are in both versions have another order. */
export function isMoved(base: readonly NamedLine[], other: readonly NamedLine[]): boolean {
  const [earlier, later] = [byKey(base), byKey(other)];
  const kept = (lines: readonly NamedLine[]) => lines.map(({ key }) => key).filter((key) => earlier.has(key) && later.has(key));
  return kept(base).join("\n") !== kept(other).join("\n");
}
