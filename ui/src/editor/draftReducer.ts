/** Reducer of the draft in the editor. */

import type { Draft, DueTerms, InvoiceContent, LineContent } from "../ipc/bindings";
import { lineDetailsOf, withAllDetails } from "./details/detailFields";
import {
  emptyHistory,
  type History,
  matchedLineIds,
  type Rebase,
  recordChange,
  recordRebase,
  recordTyping,
  recordTypingIn,
  type Snapshot,
  stepBack,
  stepForward,
} from "./draftHistory";
import { isSameTerms } from "./dueDate";
import { isEmptyLine, newLine, pastedLineIndex, withoutEmptyEnd, withTaxCategory } from "./invoiceLines";
import type { PastedLine } from "./pastedTable";
import { getText, textEntries, withText } from "./paths";

export interface EditorState {
  draft: Draft;
  /** Identity of each line, so that React keys follow a moved line. */
  lineIds: readonly number[];
  nextId: number;
  /** The standard VAT rate of the organization, in percent; `null` if its country has none. */
  standardRate: string | null;
  history: History;
  /** Whether the last action removed a line. The form then offers to undo it. */
  lineWasRemoved: boolean;
}

export type EditorAction =
  | { type: "fieldChanged"; path: string; text: string }
  /** Terms that are typed give a due date, or give back the one of before: one step to undo, until another field is changed. */
  | { type: "dueDateGiven"; dueDate: string; terms: DueTerms | null }
  | { type: "lineAdded" }
  | { type: "lineRemoved"; index: number }
  /** The lines without input at the end are no part of a document that is sent. */
  | { type: "emptyEndRemoved" }
  | { type: "undone" }
  | { type: "redone" }
  | { type: "lineMoved"; index: number; by: 1 | -1 }
  | { type: "categoryChosen"; index: number; category: string }
  | { type: "linesPasted"; index: number; lines: readonly PastedLine[] }
  /** Several fields at once, as those of a remembered buyer: one step to undo. The lines stay the same ones. */
  | { type: "filled"; fill: (content: InvoiceContent) => InvoiceContent }
  /** A line from a remembered item. A field that was changed since `before` keeps its text. */
  | { type: "lineFilled"; lineId: number; before: LineContent; line: Partial<LineContent> }
  /** The draft has a new base, the current state of the document, and merged content. `rebase` merges what it had before. */
  | { type: "rebased"; draft: Draft; rebase: Rebase };

/** What a new document begins with. Without a rate the organization's country has no VAT. */
export interface NewDocumentDefaults {
  currency: string;
  standardRate: string | null;
}

/** The draft with the defaults of the form: a currency and a first line. */
export function withDefaults(draft: Draft, { currency, standardRate }: NewDocumentDefaults): Draft {
  const { content } = draft;
  const lines = content.lines.length === 0 && draft.changes === null ? [newLine(undefined, standardRate)] : content.lines;
  return { ...draft, content: { ...content, lines, currency: content.currency || currency } };
}

/**
 * Whether a draft has only what a form puts into a new one, so that it can be deleted silently. `issueDate` is that with which the
 * form was opened.
 */
export function isBlank(
  { content, changes }: Draft,
  { currency, standardRate }: NewDocumentDefaults,
  issueDate: string,
): boolean {
  const begun: Pick<InvoiceContent, "kind" | "issueDate" | "currency" | "lines"> = {
    kind: content.kind,
    issueDate,
    currency,
    lines: [newLine(undefined, standardRate)],
  };
  const texts = textEntries(begun);
  const entered = textEntries(withoutEmptyEnd(content));
  return changes === null && [...entered].every(([path, text]) => text === (texts.get(path) ?? ""));
}

export function initialEditorState({ draft, standardRate }: Pick<EditorState, "draft" | "standardRate">): EditorState {
  const lineIds = draft.content.lines.map((_, index) => index);
  const content = withAllDetails(draft.content);
  return {
    draft: content === draft.content ? draft : { ...draft, content },
    lineIds,
    nextId: lineIds.length,
    standardRate,
    history: emptyHistory,
    lineWasRemoved: false,
  };
}

export function draftReducer(state: EditorState, action: EditorAction): EditorState {
  const now: Snapshot = { content: state.draft.content, lineIds: state.lineIds };
  switch (action.type) {
    case "fieldChanged": {
      const from = getText(now.content, action.path);
      if (from === action.text) return state;
      const { path, text } = action;
      const changed = withText(now.content, path, text);
      // A date that is typed is one, whatever terms would give it.
      const content = path === "dueDate" && changed.dueTerms ? { ...changed, dueTerms: null } : changed;
      const history = recordTyping(state.history, now, path, from, text);
      return { ...withContent(state, content), history, lineWasRemoved: false };
    }
    case "dueDateGiven": {
      const { dueDate, terms } = action;
      if (now.content.dueDate === dueDate && isSameTerms(now.content.dueTerms ?? null, terms)) return state;
      const content = { ...now.content, dueDate, dueTerms: terms };
      return { ...withContent(state, content), history: recordTypingIn(state.history, now, "terms"), lineWasRemoved: false };
    }
    case "undone":
      return restored(state, stepBack(state.history, now, state.nextId));
    case "redone":
      return restored(state, stepForward(state.history, now));
    case "filled": {
      const content = action.fill(now.content);
      if (content === now.content) return state;
      return { ...withContent(state, content), history: recordChange(state.history, now), lineWasRemoved: false };
    }
    case "lineFilled": {
      const lines = withFilledLine(state, action.lineId, action.before, action.line);
      if (!lines) return state;
      return { ...withLines(state, lines), history: recordChange(state.history, now), lineWasRemoved: false };
    }
    case "rebased": {
      const content = withAllDetails(action.draft.content);
      const lineIds = matchedLineIds(content, [now], state.nextId);
      return {
        ...state,
        draft: { ...action.draft, content },
        lineIds,
        nextId: nextIdAfter(state, lineIds),
        history: recordRebase(state.history, now, action.rebase),
        lineWasRemoved: false,
      };
    }
    case "lineAdded":
    case "lineRemoved":
    case "emptyEndRemoved":
    case "lineMoved":
    case "categoryChosen":
    case "linesPasted": {
      const changed = withChangedLines(state, action);
      if (changed === state) return state;
      return { ...changed, history: recordChange(state.history, now), lineWasRemoved: action.type === "lineRemoved" };
    }
  }
}

type LineAction = Exclude<
  EditorAction,
  { type: "fieldChanged" | "dueDateGiven" | "filled" | "lineFilled" | "undone" | "redone" | "rebased" }
>;

function withChangedLines(state: EditorState, action: LineAction): EditorState {
  const { draft, lineIds, nextId } = state;
  const { lines } = draft.content;
  switch (action.type) {
    case "lineAdded":
      return {
        ...withLines(state, [...lines, newLine(lines.at(-1), state.standardRate)]),
        lineIds: [...lineIds, nextId],
        nextId: nextId + 1,
      };
    case "lineRemoved":
      if (!lines[action.index]) return state;
      return { ...withLines(state, lines.toSpliced(action.index, 1)), lineIds: lineIds.toSpliced(action.index, 1) };
    case "emptyEndRemoved": {
      const content = withoutEmptyEnd(draft.content);
      return content === draft.content
        ? state
        : { ...withContent(state, content), lineIds: lineIds.slice(0, content.lines.length) };
    }
    case "lineMoved": {
      const to = action.index + action.by;
      if (to < 0 || to >= lines.length) return state;
      return { ...withLines(state, swap(lines, action.index, to)), lineIds: swap(lineIds, action.index, to) };
    }
    case "categoryChosen": {
      const line = lines[action.index];
      if (!line || line.taxCategory === action.category) return state;
      return withLines(state, lines.with(action.index, withTaxCategory(line, action.category, state.standardRate)));
    }
    case "linesPasted": {
      const { at, filled, next } = pastedLines(state, action.index, action.lines);
      const ids = next.slice(filled).map((_, offset) => nextId + offset);
      return {
        ...withLines(state, lines.toSpliced(at, filled, ...next)),
        lineIds: lineIds.toSpliced(at + filled, 0, ...ids),
        nextId: nextId + ids.length,
      };
    }
  }
}

/** What is pasted at a line becomes the lines `next`, from the place `at` on; they take the place of `filled` empty ones. */
export function pastedLines(
  { draft, standardRate }: Pick<EditorState, "draft" | "standardRate">,
  index: number,
  pasted: readonly PastedLine[],
): { at: number; filled: number; next: LineContent[] } {
  const { lines } = draft.content;
  const at = pastedLineIndex(lines, index);
  // Empty lines in their place are filled; all others stay as they are.
  let filled = 0;
  while (filled < pasted.length && isEmptyLine(lines[at + filled])) filled += 1;
  const next: LineContent[] = [];
  for (const [offset, line] of pasted.entries()) {
    const empty = offset < filled ? lines[at + offset] : undefined;
    next.push(withPasted(empty ?? newLine(next.at(-1) ?? lines[at - 1], standardRate), line));
  }
  return { at, filled, next };
}

function withPasted(line: LineContent, { itemCode = "", ...fields }: PastedLine): LineContent {
  const pasted = { ...line, ...fields, ...(itemCode !== "" && { details: { ...lineDetailsOf(line), itemCode } }) };
  // Outside the scope of tax there is no rate, not even the zero of a table: its cell could not be corrected.
  return line.taxCategory === "O" ? { ...pasted, taxRate: "" } : pasted;
}

/** The lines with one of them filled, or `null` if that was removed. */
function withFilledLine(
  { draft, lineIds }: EditorState,
  lineId: number,
  before: LineContent,
  filled: Partial<LineContent>,
): LineContent[] | null {
  const index = lineIds.indexOf(lineId);
  const { lines } = draft.content;
  const line = lines[index];
  if (!line) return null;
  const fields = Object.entries(filled).filter(([name]) => line[name as keyof LineContent] === before[name as keyof LineContent]);
  return lines.with(index, { ...line, ...Object.fromEntries(fields) });
}

/** The state of a step of the history. */
function restored(state: EditorState, step: [Snapshot, History] | null): EditorState {
  if (!step) return state;
  const [{ content, lineIds }, history] = step;
  return { ...withContent(state, content), lineIds, nextId: nextIdAfter(state, lineIds), history, lineWasRemoved: false };
}

function nextIdAfter({ nextId }: EditorState, lineIds: readonly number[]): number {
  return Math.max(nextId, ...lineIds.map((id) => id + 1));
}

function withContent(state: EditorState, content: InvoiceContent): EditorState {
  return { ...state, draft: { ...state.draft, content } };
}

function withLines(state: EditorState, lines: LineContent[]): EditorState {
  return withContent(state, { ...state.draft.content, lines });
}

function swap<T>(list: readonly T[], a: number, b: number): T[] {
  const copy = [...list];
  [copy[a], copy[b]] = [copy[b] as T, copy[a] as T];
  return copy;
}
