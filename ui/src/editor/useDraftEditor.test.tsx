/** What the editor saves while somebody types, and that this renders nothing. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { content, organizations } from "../gallery/fixtures";
import type { Draft } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { useDraftEditor } from "./useDraftEditor";

vi.mock("../state/withBinding");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const draft: Draft = { key: "a", changes: null, content, state: "editing" };
const navigation = { registerAutosave: () => () => undefined } as unknown as Navigation;

/** What was written, in its order. */
let written: string[];
const defaults = { currency: "SAR", standardRate: "15" };

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

function openEditor() {
  const client = createQueryClient();
  const { result } = renderHook(
    () => {
      renders += 1;
      return useDraftEditor(draft, defaults);
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
  return (text: string) => act(() => result.current.dispatch({ type: "fieldChanged", path: "note", text }));
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
