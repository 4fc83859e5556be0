/** Merge of the parts of a document or a line: of each part the one that was changed, and a conflict where both were. */

import type { InvoiceContent, LineContent } from "../ipc/bindings";
import { type Subject, subjectId } from "./changes";
import { isSame, type Parts, withPart } from "./contentParts";

/** What is kept of a conflict. `both` is for lines that both sides have added. */
export type Side = "mine" | "theirs" | "both";

export type Choices = Readonly<Record<string, Side>>;

export interface Conflict {
  id: string;
  subject: Subject;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  sides: readonly Side[];
}

export interface PartsMerge {
  conflicts: Conflict[];
  resolve: <Tree extends InvoiceContent | LineContent>(theirs: Tree, choices: Choices) => Tree;
}

export function mergeParts(base: Parts, mine: Parts, theirs: Parts, subjectOf: (path: string) => Subject): PartsMerge {
  const conflicts: Conflict[] = [];
  const ownParts: { path: string; conflict?: string }[] = [];
  for (const path of new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])) {
    const values = { base: base.get(path), mine: mine.get(path), theirs: theirs.get(path) };
    if (isSame(values.mine, values.theirs) || isSame(values.mine, values.base)) continue;
    if (isSame(values.theirs, values.base)) {
      ownParts.push({ path });
      continue;
    }
    const subject = subjectOf(path);
    const id = subjectId(subject);
    conflicts.push({ id, subject, ...values, sides: ["mine", "theirs"] });
    ownParts.push({ path, conflict: id });
  }
  return {
    conflicts,
    resolve: (tree, choices) =>
      ownParts
        .filter(({ conflict }) => conflict === undefined || choices[conflict] !== "theirs")
        .reduce((result, { path }) => withPart(result, path, mine.get(path)), tree),
  };
}
