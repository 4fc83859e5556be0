/** Two people changed a document that both had read: what does not overlap is merged, the rest is for a person to choose. */

import type { InvoiceContent } from "../ipc/bindings";
import { textEntries, withText } from "./paths";

export type Side = "mine" | "theirs";

export interface Conflict {
  /** Path of the field, or `lines` for all lines when there are more or fewer of them. */
  field: string;
  before: string;
  mine: string;
  theirs: string;
}

export interface MergeResult {
  conflicts: Conflict[];
  /** The content for the choices made; a conflict without a choice stays mine. */
  merged: (choices: Readonly<Record<string, Side>>) => InvoiceContent;
}

export function threeWayMerge(before: InvoiceContent, mine: InvoiceContent, theirs: InvoiceContent): MergeResult {
  // Lines have no names of their own: once there are more or fewer, they are chosen as a whole.
  const apart = new Set([before, mine, theirs].map(({ lines }) => lines.length)).size > 1;
  const fields = fieldsOf([before, mine, theirs], apart);
  const [was, my, their] = [textEntries(before), textEntries(mine), textEntries(theirs)];
  const conflicts: Conflict[] = [];
  const taken: string[] = [];
  for (const field of fields) {
    const values = { before: was.get(field) ?? "", mine: my.get(field) ?? "", theirs: their.get(field) ?? "" };
    if (values.mine === values.theirs || values.theirs === values.before) continue;
    if (values.mine === values.before) taken.push(field);
    else conflicts.push({ field, ...values });
  }
  let takeLines = false;
  if (apart) {
    const [wasLines, myLines, theirLines] = [before, mine, theirs].map(({ lines }) => JSON.stringify(lines));
    if (myLines === wasLines) takeLines = true;
    else if (theirLines !== wasLines && theirLines !== myLines) {
      conflicts.push({
        field: "lines",
        before: String(before.lines.length),
        mine: String(mine.lines.length),
        theirs: String(theirs.lines.length),
      });
    }
  }
  return {
    conflicts,
    merged: (choices) => {
      const chosen = conflicts.filter(({ field }) => choices[field] === "theirs").map(({ field }) => field);
      let content = takeLines || chosen.includes("lines") ? { ...mine, lines: theirs.lines } : mine;
      for (const field of [...taken, ...chosen])
        if (field !== "lines") content = withText(content, field, their.get(field) ?? "");
      return content;
    },
  };
}

function fieldsOf(contents: readonly InvoiceContent[], withoutLines: boolean): string[] {
  const all = new Set(contents.flatMap((content) => [...textEntries(content).keys()]));
  return [...all].filter((field) => field !== "kind" && !(withoutLines && field.startsWith("lines[")));
}
