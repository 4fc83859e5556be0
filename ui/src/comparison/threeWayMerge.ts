/** Three-way merge of concurrent changes to a document. Changes of different parts are merged; the others are conflicts. */

import type { InvoiceContent } from "../ipc/bindings";
import { type Change, changesBetween, subjectId } from "./changes";
import { documentParts } from "./contentParts";
import { mergeLines } from "./lineMerge";
import { type Choices, type Conflict, mergeParts } from "./partMerge";

export interface MergeResult {
  conflicts: readonly Conflict[];
  /** What is merged without a choice. */
  merged: { mine: readonly Change[]; theirs: readonly Change[] };
  /** The merged content. A conflict without a choice keeps the own value. */
  resolve: (choices: Choices) => InvoiceContent;
}

export function threeWayMerge(base: InvoiceContent, mine: InvoiceContent, theirs: InvoiceContent): MergeResult {
  const document = mergeParts(documentParts(base), documentParts(mine), documentParts(theirs), (path) => ({
    of: "document",
    path,
  }));
  const lines = mergeLines(base.lines, mine.lines, theirs.lines);
  const conflicts = [...document.conflicts, ...lines.conflicts];
  const contested = new Set(conflicts.map(({ id }) => id));
  const apart = (changes: readonly Change[]) =>
    changes.filter(({ subject, before }) => {
      if (subject.of === "line" && before === undefined && contested.has("addedLines")) return false;
      // A line that one side has removed is contested with all of its cells.
      return !contested.has(subjectId(subject)) && !(subject.of === "cell" && contested.has(`line ${subject.line.key}`));
    });
  return {
    conflicts,
    merged: { mine: apart(changesBetween(base, mine, "mine")), theirs: apart(changesBetween(base, theirs, "theirs")) },
    // What the service has is complete, but for the terms of the due date; a draft of an earlier version may lack fields.
    resolve: (choices) => ({
      ...document.resolve({ ...theirs, kind: mine.kind, ...(mine.dueTerms && { dueTerms: mine.dueTerms }) }, choices),
      lines: lines.resolve(choices),
    }),
  };
}
