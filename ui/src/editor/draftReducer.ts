/** The draft as it is being typed. Pure: what happens to it stands here, when stands in the screen. */

import type { Draft, InvoiceContent, LineContent } from "../ipc/bindings";
import { newLine, withTaxCategory } from "./invoiceLines";
import { textEntries, withText } from "./paths";

export interface EditorState {
  draft: Draft;
  /** Names of the lines that stay with them when they move. */
  lineIds: readonly number[];
  nextId: number;
  /** The line that was removed last, until something else is done to the lines. */
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
  /** The draft now starts from another state of the document, with a content that was put together from both. */
  | { type: "rebased"; draft: Draft };

/** The draft as the form opens it: with a currency, and with a first line to write in. */
export function withDefaults(draft: Draft, currency: string): Draft {
  const { content } = draft;
  const lines = content.lines.length === 0 && draft.changes === null ? [newLine(undefined)] : content.lines;
  return { ...draft, content: { ...content, lines, currency: content.currency || currency } };
}

/** Whether nothing has been typed that anybody would miss. */
export function isBlank({ content, changes }: Draft): boolean {
  const given = new Set(["kind", "issueDate", "currency"]);
  const typed = [...textEntries(content)].filter(
    ([path, text]) => text !== "" && !given.has(path) && !/^lines\[\d+\]\.(?!description|unitPrice)/.test(path),
  );
  return changes === null && typed.length === 0;
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
