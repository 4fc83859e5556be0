/** Reducer of the draft in the editor. */

import type { Draft, InvoiceContent, LineContent } from "../ipc/bindings";
import { newLine, withTaxCategory } from "./invoiceLines";
import { textEntries, withText } from "./paths";

export interface EditorState {
  draft: Draft;
  /** Identity of each line, so that React keys follow a moved line. */
  lineIds: readonly number[];
  nextId: number;
  /** The removed line, which can be restored until the lines change again. */
  removed: { line: LineContent; id: number; index: number } | null;
}

export type EditorAction =
  | { type: "fieldChanged"; path: string; text: string }
  | { type: "lineAdded" }
  | { type: "lineRemoved"; index: number }
  | { type: "removalUndone" }
  | { type: "lineMoved"; index: number; by: 1 | -1 }
  | { type: "categoryChosen"; index: number; category: string }
  | { type: "linesPasted"; index: number; lines: readonly Partial<Pick<LineContent, "quantity" | "unitPrice" | "description">>[] }
  /** The draft has a new base, the current state of the document, and merged content. */
  | { type: "rebased"; draft: Draft };

/** The draft with the defaults of the form: a currency and a first line. */
export function withDefaults(draft: Draft, currency: string): Draft {
  const { content } = draft;
  const lines = content.lines.length === 0 && draft.changes === null ? [newLine(undefined)] : content.lines;
  return { ...draft, content: { ...content, lines, currency: content.currency || currency } };
}

/** Whether a draft has no content besides defaults, so that it can be deleted silently. */
export function isBlank({ content, changes }: Draft): boolean {
  const defaults = new Set(["kind", "issueDate", "currency"]);
  const entered = [...textEntries(content)].filter(
    ([path, text]) => text !== "" && !defaults.has(path) && !/^lines\[\d+\]\.(?!description|unitPrice)/.test(path),
  );
  return changes === null && entered.length === 0;
}

export function initialEditorState(draft: Draft): EditorState {
  const lineIds = draft.content.lines.map((_, index) => index);
  return { draft, lineIds, nextId: lineIds.length, removed: null };
}

export function draftReducer(state: EditorState, action: EditorAction): EditorState {
  const { draft, lineIds, nextId } = state;
  const { lines } = draft.content;
  switch (action.type) {
    case "fieldChanged":
      return withContent(state, withText(draft.content, action.path, action.text));
    case "lineAdded":
      return {
        ...withLines(state, [...lines, newLine(lines.at(-1))]),
        lineIds: [...lineIds, nextId],
        nextId: nextId + 1,
        removed: null,
      };
    case "lineRemoved": {
      const line = lines[action.index];
      const id = lineIds[action.index];
      if (!line || id === undefined) return state;
      return {
        ...withLines(state, lines.toSpliced(action.index, 1)),
        lineIds: lineIds.toSpliced(action.index, 1),
        removed: { line, id, index: action.index },
      };
    }
    case "removalUndone": {
      if (!state.removed) return state;
      const { line, id, index } = state.removed;
      return {
        ...withLines(state, lines.toSpliced(index, 0, line)),
        lineIds: lineIds.toSpliced(index, 0, id),
        removed: null,
      };
    }
    case "lineMoved": {
      const to = action.index + action.by;
      if (to < 0 || to >= lines.length) return state;
      return {
        ...withLines(state, swap(lines, action.index, to)),
        lineIds: swap(lineIds, action.index, to),
        removed: null,
      };
    }
    case "categoryChosen": {
      const line = lines[action.index];
      return line ? withLines(state, lines.with(action.index, withTaxCategory(line, action.category))) : state;
    }
    case "linesPasted": {
      const next = [...lines];
      const ids = [...lineIds];
      let id = nextId;
      for (const [offset, pasted] of action.lines.entries()) {
        const at = action.index + offset;
        if (at >= next.length) {
          next.push(newLine(next.at(-1)));
          ids.push(id++);
        }
        next[at] = { ...(next[at] ?? newLine(undefined)), ...pasted };
      }
      return { ...withLines(state, next), lineIds: ids, nextId: id, removed: null };
    }
    case "rebased":
      return initialEditorState(action.draft);
  }
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
