/** Merge of the lines of a document. Lines are matched by their ids; a conflict is what the core does not merge either. */

import type { LineContent } from "../ipc/bindings";
import { byKey, isMoved, type Subject, subjectId } from "./changes";
import { isSameLine, lineParts } from "./contentParts";
import { baseLines, matchLines, type NamedLine } from "./matchedLines";
import { type Choices, type Conflict, mergeParts, type PartsMerge } from "./partMerge";

export interface LinesMerge {
  conflicts: Conflict[];
  resolve: (choices: Choices) => LineContent[];
}

interface Versions {
  base: readonly NamedLine[];
  mine: readonly NamedLine[];
  theirs: readonly NamedLine[];
}

/** A line of the base, and what became of it. */
type LineMerge =
  /** Both sides have it. */
  | { kept: "both"; theirs: LineContent; parts: PartsMerge }
  /** One side has removed it, and the other has not changed it. */
  | { kept: "none" }
  /** One side has removed it, and the other has changed it: `side`. */
  | { kept: "contested"; side: "mine" | "theirs"; line: LineContent; conflict: string };

export function mergeLines(base: LineContent[], mine: LineContent[], theirs: LineContent[]): LinesMerge {
  const [own, other] = [matchLines(base, mine, "mine"), matchLines(base, theirs, "theirs")];
  if (!own || !other) return mergeLists(base, mine, theirs);
  const versions: Versions = { base: baseLines(base), mine: own, theirs: other };
  const merges = new Map<string, LineMerge>();
  const conflicts: Conflict[] = [];
  const [ours, found] = [byKey(own), byKey(other)];
  for (const named of versions.base) {
    const [merge, lineConflicts] = mergeLine(named, ours.get(named.key), found.get(named.key));
    merges.set(named.key, merge);
    conflicts.push(...lineConflicts);
  }
  const added = addedLines(versions, merges);
  conflicts.push(...added.conflicts);
  const [iMoved, theyMoved] = [isMoved(versions.base, own), isMoved(versions.base, other)];
  if (iMoved && theyMoved && isMoved(own, other)) conflicts.push(conflictOf({ of: "order" }, base, mine, theirs));

  const resolve = (choices: Choices): LineContent[] => {
    const lineOf = ({ key, line }: NamedLine, side: "mine" | "theirs"): LineContent | null => {
      const merge = merges.get(key);
      if (!merge) return added.isKept(side, choices) ? newLineOf(line, side, theirs) : null;
      if (merge.kept === "both") return merge.parts.resolve(merge.theirs, choices);
      if (merge.kept === "none") return null;
      return (choices[merge.conflict] ?? "mine") === merge.side ? merge.line : null;
    };
    const mineLeads = iMoved && !(theyMoved && choices["order"] === "theirs");
    return interleave(versions, mineLeads, lineOf);
  };
  return { conflicts, resolve };
}

function conflictOf(subject: Subject, base: unknown, mine: unknown, theirs: unknown): Conflict {
  return { id: subjectId(subject), subject, base, mine, theirs, sides: ["mine", "theirs"] };
}

function mergeLine(base: NamedLine, my?: NamedLine, their?: NamedLine): [LineMerge, Conflict[]] {
  if (my && their) {
    const parts = mergeParts(lineParts(base.line), lineParts(my.line), lineParts(their.line), (path) => ({
      of: "cell",
      line: my,
      path,
    }));
    return [{ kept: "both", theirs: their.line, parts }, parts.conflicts];
  }
  const left = my ?? their;
  if (!left || isSameLine(left.line, base.line)) return [{ kept: "none" }, []];
  const conflict = conflictOf({ of: "line", line: left }, base.line, my?.line, their?.line);
  return [{ kept: "contested", side: my ? "mine" : "theirs", line: left.line, conflict: conflict.id }, [conflict]];
}

/** Lines that both sides have added could be meant to be the same: that is a conflict, in which both can be kept. */
function addedLines({ mine, theirs }: Versions, known: ReadonlyMap<string, unknown>) {
  const added = (lines: readonly NamedLine[]) => lines.filter(({ key }) => !known.has(key)).map(({ line }) => line);
  const [own, other] = [added(mine), added(theirs)];
  const same = areSameLines(own, other);
  const contested = own.length > 0 && other.length > 0 && !same;
  const subject: Subject = { of: "addedLines" };
  const id = subjectId(subject);
  const conflicts: Conflict[] = contested
    ? [{ id, subject, base: [], mine: own, theirs: other, sides: ["mine", "theirs", "both"] }]
    : [];
  const isKept = (side: "mine" | "theirs", choices: Choices): boolean => {
    if (same) return side === "theirs";
    const chosen = contested ? (choices[id] ?? "mine") : "both";
    return chosen === side || chosen === "both";
  };
  return { conflicts, isKept };
}

/** The lines in the order of one side. A line that only the other side has follows the one that it followed there. */
function interleave(
  { mine, theirs }: Versions,
  mineLeads: boolean,
  lineOf: (named: NamedLine, side: "mine" | "theirs") => LineContent | null,
): LineContent[] {
  const result = (mineLeads ? mine : theirs).map((named) => ({
    key: named.key,
    line: lineOf(named, mineLeads ? "mine" : "theirs"),
  }));
  let at = 0;
  for (const named of mineLeads ? theirs : mine) {
    const existing = result.findIndex(({ key }) => key === named.key);
    if (existing === -1) result.splice(at++, 0, { key: named.key, line: lineOf(named, mineLeads ? "theirs" : "mine") });
    else at = existing + 1;
  }
  return result.flatMap(({ line }) => (line ? [line] : []));
}

/** An own new line never has the id of a line that the service has. */
function newLineOf(line: LineContent, side: "mine" | "theirs", theirs: readonly LineContent[]): LineContent {
  const taken = side === "mine" && line.id !== "" && theirs.some(({ id }) => id === line.id);
  return taken ? { ...line, id: "" } : line;
}

/** Lines of which it cannot be told which is which are one part. */
function mergeLists(base: LineContent[], mine: LineContent[], theirs: LineContent[]): LinesMerge {
  if (areSameLines(mine, base) || areSameLines(mine, theirs)) return { conflicts: [], resolve: () => theirs };
  if (areSameLines(theirs, base)) return { conflicts: [], resolve: () => mine };
  const conflict = conflictOf({ of: "lines" }, base, mine, theirs);
  return { conflicts: [conflict], resolve: (choices) => (choices[conflict.id] === "theirs" ? theirs : mine) };
}

function areSameLines(lines: readonly LineContent[], others: readonly LineContent[]): boolean {
  return lines.length === others.length && lines.every((line, at) => isSameLine(line, others[at] ?? line));
}
