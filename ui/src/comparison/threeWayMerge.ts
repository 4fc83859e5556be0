/** Three-way merge of concurrent changes to a document. Changes of different parts are merged; the others are conflicts. */

import type { InvoiceContent, LineContent } from "../ipc/bindings";
import { byKey, type Change, changesBetween, isMoved, type Subject, subjectId } from "./changes";
import { documentParts, isSame, isSameLine, lineParts, type Parts, withPart } from "./contentParts";
import { baseLines, matchLines, type NamedLine } from "./matchedLines";

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
    // What the service has is complete; a draft of an earlier version may lack fields.
    resolve: (choices) => ({
      ...document.resolve({ ...theirs, kind: mine.kind }, choices),
      lines: lines.resolve(choices),
    }),
  };
}

interface PartsMerge {
  conflicts: Conflict[];
  resolve: <Tree extends InvoiceContent | LineContent>(theirs: Tree, choices: Choices) => Tree;
}

function mergeParts(base: Parts, mine: Parts, theirs: Parts, subjectOf: (path: string) => Subject): PartsMerge {
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

interface LinesMerge {
  conflicts: Conflict[];
  resolve: (choices: Choices) => LineContent[];
}

function mergeLines(base: LineContent[], mine: LineContent[], theirs: LineContent[]): LinesMerge {
  const before = baseLines(base);
  const [own, other] = [matchLines(base, mine, "mine"), matchLines(base, theirs, "theirs")];
  if (!own || !other) return mergeLists(base, mine, theirs);
  const [was, ours, found] = [byKey(before), byKey(own), byKey(other)];
  const conflicts: Conflict[] = [];
  const cells = new Map<string, PartsMerge>();
  for (const { key, line } of before) {
    const [my, their] = [ours.get(key), found.get(key)];
    if (my && their) {
      const merge = mergeParts(lineParts(line), lineParts(my.line), lineParts(their.line), (path) => ({
        of: "cell",
        line: my,
        path,
      }));
      conflicts.push(...merge.conflicts);
      cells.set(key, merge);
    } else if ((my && !isSameLine(my.line, line)) || (their && !isSameLine(their.line, line))) {
      // One side removed it, and the other changed it.
      const subject: Subject = { of: "line", line: my ?? (their as NamedLine) };
      const values = { base: line, mine: my?.line, theirs: their?.line };
      conflicts.push({ id: subjectId(subject), subject, ...values, sides: ["mine", "theirs"] });
    }
  }
  const added = (lines: readonly NamedLine[]) => lines.filter(({ key }) => !was.has(key)).map(({ line }) => line);
  const [iAdded, theyAdded] = [added(own), added(other)];
  const addedTheSame = areSameLines(iAdded, theyAdded);
  if (iAdded.length > 0 && theyAdded.length > 0 && !addedTheSame) {
    const subject: Subject = { of: "addedLines" };
    conflicts.push({
      id: subjectId(subject),
      subject,
      base: [],
      mine: iAdded,
      theirs: theyAdded,
      sides: ["mine", "theirs", "both"],
    });
  }
  const [iMoved, theyMoved] = [isMoved(before, own), isMoved(before, other)];
  if (iMoved && theyMoved && isMoved(own, other)) {
    const subject: Subject = { of: "order" };
    conflicts.push({ id: subjectId(subject), subject, base, mine, theirs, sides: ["mine", "theirs"] });
  }

  const resolve = (choices: Choices): LineContent[] => {
    const kept = ({ key, line }: NamedLine, side: "mine" | "theirs"): LineContent | null => {
      const earlier = was.get(key);
      if (!earlier) {
        const chosen = conflicts.some(({ id }) => id === "addedLines") ? (choices["addedLines"] ?? "mine") : "both";
        if (side === "mine" && addedTheSame) return null;
        return chosen === side || chosen === "both" ? newLineOf(line, side, other) : null;
      }
      const [my, their] = [ours.get(key), found.get(key)];
      if (my && their) return cells.get(key)?.resolve(their.line, choices) ?? their.line;
      if (isSameLine(line, earlier.line)) return null;
      return (choices[`line ${key}`] ?? "mine") === side ? line : null;
    };
    const mineLeads = iMoved && !(theyMoved && choices["order"] === "theirs");
    const [leading, following] = mineLeads ? ([own, other] as const) : ([other, own] as const);
    const [first, second] = mineLeads ? (["mine", "theirs"] as const) : (["theirs", "mine"] as const);
    const result: { key: string; line: LineContent | null }[] = leading.map((named) => ({
      key: named.key,
      line: kept(named, first),
    }));
    let at = 0;
    for (const named of following) {
      const existing = result.findIndex(({ key }) => key === named.key);
      // A line that only this version has follows the one that it followed there.
      if (existing === -1) result.splice(at++, 0, { key: named.key, line: kept(named, second) });
      else at = existing + 1;
    }
    return result.flatMap(({ line }) => (line ? [line] : []));
  };
  return { conflicts, resolve };
}

/** An own new line never has the id of a line that the service has. */
function newLineOf(line: LineContent, side: "mine" | "theirs", theirs: readonly NamedLine[]): LineContent {
  const taken = side === "mine" && theirs.some(({ line: { id } }) => id === line.id && (id ?? "") !== "");
  return taken ? { ...line, id: "" } : line;
}

/** Lines of which it cannot be told which is which are one part. */
function mergeLists(base: LineContent[], mine: LineContent[], theirs: LineContent[]): LinesMerge {
  if (areSameLines(mine, base) || areSameLines(mine, theirs)) return { conflicts: [], resolve: () => theirs };
  if (areSameLines(theirs, base)) return { conflicts: [], resolve: () => mine };
  const subject: Subject = { of: "lines" };
  const id = subjectId(subject);
  return {
    conflicts: [{ id, subject, base, mine, theirs, sides: ["mine", "theirs"] }],
    resolve: (choices) => (choices[id] === "theirs" ? theirs : mine),
  };
}

function areSameLines(lines: readonly LineContent[], others: readonly LineContent[]): boolean {
  return lines.length === others.length && lines.every((line, at) => isSameLine(line, others[at] ?? line));
}
