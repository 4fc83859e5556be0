/** What the editor saves while somebody types, that this renders nothing, and what becomes of a draft without input. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptied } from "../comparison/contentParts";
import { content, organizations } from "../gallery/fixtures";
import type { Calculation, Draft, InvoiceContent } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { type Autosaving, type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { withDefaults } from "./draftReducer";
import { useCalculation, useDraftEditor } from "./useDraftEditor";

vi.mock("../state/withBinding");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const draft: Draft = { key: "a", changes: null, content, state: "editing" };
/** What the window calls before it leaves the view. */
let flush: Autosaving;
const navigation = {
  registerAutosave: (keep: Autosaving) => {
    flush = keep;
    return () => undefined;
  },
} as unknown as Navigation;

/** What was written, in its order. */
let written: string[];
const defaults = { currency: "SAR", standardRate: "15" };
/** A new draft in which nothing was typed. */
const blank = withDefaults(
  {
    ...draft,
    content: { ...(emptied(content) as InvoiceContent), kind: "invoice", issueDate: "2026-11-25", correction: null, lines: [] },
  },
  defaults,
);

let renders = 0;

beforeEach(() => {
  written = [];
  renders = 0;
  vi.spyOn(commands, "saveDraft").mockImplementation(async (_, { content: saved }) => {
    written.push(saved.note);
    return { status: "ok", data: null };
  });
  vi.mocked(withBinding).mockImplementation(async (_, command) => {
    const answer = await command({ organization: organization.id, generation: 1 });
    if (answer.status === "error") throw new Error("refused");
    return answer.data;
  });
  vi.spyOn(commands, "calculate").mockReturnValue(new Promise(() => undefined));
});

// Ends the timer of the totals, which would run when the window of the test is gone.
afterEach(cleanup);

function openEditor(initial = draft) {
  return mountEditor(initial).type;
}

function mountEditor(initial: Draft) {
  const client = createQueryClient();
  const { result } = renderHook(
    () => {
      renders += 1;
      return useDraftEditor(initial, defaults);
    },
    {
      wrapper: ({ children }) =>
        createElement(
          QueryClientProvider,
          { client },
          createElement(
            NavigationContext,
            { value: navigation },
            createElement(WorkspaceContext, { value: { organization } as unknown as Workspace }, children),
          ),
        ),
    },
  );
  return {
    type: (text: string) => act(() => result.current.dispatch({ type: "fieldChanged", path: "note", text })),
    addLine: () => act(() => result.current.dispatch({ type: "lineAdded" })),
    withDraft: result.current.withDraft,
    autosave: result.current.autosave,
  };
}

test("a key renders the editor once, and its saving does not", async () => {
  const type = openEditor();
  const before = renders;
  type("Paid");
  await expect.poll(() => written).toEqual(["Paid"]);
  expect(renders - before).toBe(1);
});

test("what was typed is written without a paint when the window is left or closed", async () => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.useFakeTimers();
  try {
    const type = openEditor();
    for (const leave of ["blur", "pagehide"]) {
      type(`until ${leave}`);
      window.dispatchEvent(new Event(leave));
      await act(() => Promise.resolve());
      expect(written.at(-1)).toBe(`until ${leave}`);
    }
  } finally {
    vi.useRealTimers();
  }
});

test("a window that paints nothing writes what was typed all the same", async () => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  const type = openEditor();
  type("Hidden");
  await expect.poll(() => written).toEqual(["Hidden"]);
});

/** The notes of the drafts that are kept, by what the editor has asked for. */
function followDrafts() {
  const kept = new Map<string, string>();
  const save = vi.spyOn(commands, "saveDraft").mockImplementation(async (_, { key, content: saved }) => {
    kept.set(key, saved.note);
    return { status: "ok", data: null };
  });
  const discard = vi.spyOn(commands, "discardBlankDraft").mockImplementation(async (_, key) => {
    kept.delete(key);
    return { status: "ok", data: true };
  });
  return { kept, save, discard };
}

test("a new draft is written with its first input and not before, and with all that follows", async () => {
  const { save } = followDrafts();
  const { addLine, type } = mountEditor(blank);
  addLine();
  await act(() => flush(true));
  expect(save, "a line without input is none").not.toHaveBeenCalled();
  type("Paid");
  await expect.poll(() => save.mock.calls.length).toBe(1);
  type("");
  await expect.poll(() => save.mock.calls.length).toBe(2);
});

test("a file of a draft without input is an input", async () => {
  const { kept } = followDrafts();
  const { withDraft } = mountEditor(blank);
  expect(await withDraft(async () => [...kept.keys()])).toEqual(["a"]);
});

test("a draft without input is deleted when the view is about to be left, and none with input is", async () => {
  const { discard } = followDrafts();
  openEditor();
  await act(() => flush());
  expect(discard).not.toHaveBeenCalled();
  openEditor(blank);
  await act(() => flush());
  expect(discard).toHaveBeenCalledOnce();
});

test("a draft without input stays when its view comes back, as after another sign-in", async () => {
  const { discard } = followDrafts();
  openEditor(blank);
  await act(() => flush(true));
  expect(discard).not.toHaveBeenCalled();
});

test("a view that stays after its draft was deleted saves the next input under the same key", async () => {
  const { kept } = followDrafts();
  const type = openEditor(blank);
  await act(() => flush());
  type("Paid");
  await expect.poll(() => [...kept]).toEqual([["a", "Paid"]]);
});

test("what is typed while the draft is being deleted is kept", async () => {
  const { kept, discard } = followDrafts();
  const type = openEditor(blank);
  const deletions: (() => void)[] = [];
  discard.mockImplementationOnce(async (_, key) => {
    await new Promise<void>((resolve) => {
      deletions.push(resolve);
    });
    kept.delete(key);
    return { status: "ok", data: true };
  });
  const leaving = flush();
  await expect.poll(() => deletions.length).toBe(1);
  type("Paid");
  await expect.poll(() => [...kept]).toEqual([["a", "Paid"]]);
  // It comes to the core after the write.
  deletions.shift()?.();
  await leaving;
  expect([...kept]).toEqual([["a", "Paid"]]);
});

test("a file that is added after the draft was deleted finds the draft again, and what is typed is saved beside it", async () => {
  const { kept, save } = followDrafts();
  const { type, withDraft } = mountEditor(blank);
  await act(() => flush());
  expect([...kept.keys()]).toEqual([]);
  save.mockClear();
  expect(await withDraft(async () => [...kept.keys()])).toEqual(["a"]);
  expect(await withDraft(async () => "added"), "the next file").toBe("added");
  expect(save).toHaveBeenCalledOnce();
  type("Paid");
  await expect.poll(() => [...kept]).toEqual([["a", "Paid"]]);
});

test("a file is not added for a draft that cannot be saved again", async () => {
  const { save } = followDrafts();
  const { withDraft } = mountEditor(blank);
  await act(() => flush());
  save.mockResolvedValue({ status: "error", error: { kind: "notSaved", problem: "noSpace", reason: "no storage space" } });
  const add = vi.fn();
  await expect(withDraft(add)).rejects.toThrow("refused");
  expect(add).not.toHaveBeenCalled();
});

test("a draft is not deleted while a file is added, and neither is one that the file waits for", async () => {
  const { kept, discard } = followDrafts();
  kept.set("a", "");
  const { withDraft } = mountEditor(blank);
  const files: (() => void)[] = [];
  const adding = withDraft(
    () =>
      new Promise<void>((resolve) => {
        files.push(resolve);
      }),
  );
  await expect.poll(() => files.length).toBe(1);
  // As the core does where files wait.
  discard.mockResolvedValue({ status: "ok", data: false });
  const leaving = flush();
  await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
  expect(discard).not.toHaveBeenCalled();
  files.shift()?.();
  await adding;
  await leaving;
  expect(discard).toHaveBeenCalledOnce();
  expect([...kept.keys()]).toEqual(["a"]);
});

test("what was typed is written before the draft is moved, and what is filled in while it is moved is not", async () => {
  const { type, autosave } = mountEditor(draft);
  const moves: (() => void)[] = [];
  type("Typed");
  const moved = autosave.endWith(
    () =>
      new Promise<void>((resolve) => {
        moves.push(resolve);
      }),
    true,
  );
  await expect.poll(() => moves.length).toBe(1);
  expect(written).toEqual(["Typed"]);
  type("Late");
  moves.shift()?.();
  await moved;
  await autosave.flush();
  expect(written).toEqual(["Typed"]);
});

test("a line that was added and in which nothing is typed yet leaves the totals", async () => {
  const { addLine } = mountEditor(draft);
  addLine();
  await expect.poll(() => vi.mocked(commands.calculate).mock.lastCall?.[1].lines.length).toBe(content.lines.length);
});

test("totals that take long are marked until there is an answer", async () => {
  vi.useFakeTimers();
  try {
    const calculation: Calculation = { lines: [], taxBreakdown: [], totals: null, violations: [] };
    const answers: (() => void)[] = [];
    vi.spyOn(commands, "calculate").mockReturnValue(
      new Promise((resolve) => {
        answers.push(() => resolve({ status: "ok", data: calculation }));
      }),
    );
    const { result } = renderHook(() => useCalculation(organization.id, content));
    const shown = () => [result.current[0], result.current[2]];
    await act(() => vi.advanceTimersByTimeAsync(200));
    expect(commands.calculate).toHaveBeenCalledOnce();
    expect(shown(), "a short wait has no mark").toEqual([null, false]);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(shown()).toEqual([null, true]);
    answers.shift()?.();
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(shown()).toEqual([calculation, false]);
  } finally {
    vi.useRealTimers();
  }
});
