/** Three-way merge of concurrent changes to a document. Changes to different fields are merged; the others are conflicts. */

import type { InvoiceContent } from "../ipc/bindings";
import { textEntries, withText } from "./paths";

export type Side = "mine" | "theirs";

export interface Conflict {
  /** Path of the field, or `lines` if the versions differ in the number of lines. */
  field: string;
  base: string;
  mine: string;
  theirs: string;
}

export interface MergeResult {
  conflicts: Conflict[];
  /** The merged content. A conflict without a choice keeps the own value. */
  resolve: (choices: Readonly<Record<string, Side>>) => InvoiceContent;
}

export function threeWayMerge(base: InvoiceContent, mine: InvoiceContent, theirs: InvoiceContent): MergeResult {
  // Lines have no identity: if their numbers differ, all lines are one conflict.
  const lineCountsDiffer = new Set([base, mine, theirs].map(({ lines }) => lines.length)).size > 1;
  const fields = fieldPaths([base, mine, theirs], lineCountsDiffer);
  const [baseTexts, myTexts, theirTexts] = [textEntries(base), textEntries(mine), textEntries(theirs)];
  const conflicts: Conflict[] = [];
  const changedByThem: string[] = [];
  for (const field of fields) {
    const values = { base: baseTexts.get(field) ?? "", mine: myTexts.get(field) ?? "", theirs: theirTexts.get(field) ?? "" };
    if (values.mine === values.theirs || values.theirs === values.base) continue;
    if (values.mine === values.base) changedByThem.push(field);
    else conflicts.push({ field, ...values });
  }
  let takeLines = false;
  if (lineCountsDiffer) {
    const [baseLines, myLines, theirLines] = [base, mine, theirs].map(({ lines }) => JSON.stringify(lines));
    if (myLines === baseLines) takeLines = true;
    else if (theirLines !== baseLines && theirLines !== myLines) {
      conflicts.push({
        field: "lines",
        base: String(base.lines.length),
        mine: String(mine.lines.length),
        theirs: String(theirs.lines.length),
      });
    }
  }
  return {
    conflicts,
    resolve: (choices) => {
      const chosen = conflicts.filter(({ field }) => choices[field] === "theirs").map(({ field }) => field);
      let content = takeLines || chosen.includes("lines") ? { ...mine, lines: theirs.lines } : mine;
      for (const field of [...changedByThem, ...chosen])
        if (field !== "lines") content = withText(content, field, theirTexts.get(field) ?? "");
      return content;
    },
  };
}

export interface FieldChange {
  /** Path of the field, or `lines` if the versions differ in the number of lines. */
  field: string;
  before: string;
  after: string;
}

/** The fields in which two versions differ. */
export function changedFields(before: InvoiceContent, after: InvoiceContent): FieldChange[] {
  const lineCountsDiffer = before.lines.length !== after.lines.length;
  const [beforeTexts, afterTexts] = [textEntries(before), textEntries(after)];
  const changes = fieldPaths([before, after], lineCountsDiffer)
    .map((field) => ({ field, before: beforeTexts.get(field) ?? "", after: afterTexts.get(field) ?? "" }))
    .filter((change) => change.before !== change.after);
  if (lineCountsDiffer) changes.push({ field: "lines", before: String(before.lines.length), after: String(after.lines.length) });
  return changes;
}

function fieldPaths(contents: readonly InvoiceContent[], withoutLines: boolean): string[] {
  const all = new Set(contents.flatMap((content) => [...textEntries(content).keys()]));
  return [...all].filter((field) => field !== "kind" && !(withoutLines && field.startsWith("lines[")));
}
