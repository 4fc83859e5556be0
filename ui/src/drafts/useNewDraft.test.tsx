/** Editing a document goes on with the draft that is kept of it, and begins one only where there is none. */

import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { content, organizations } from "../gallery/fixtures";
import { runWithBinding, workspaceWrapper } from "../gallery/renderInWorkspace";
import type { CommandError, Draft } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { draftKey } from "../queries/draftQueries";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { useNewDraft } from "./useNewDraft";

vi.mock("../state/withBinding");

const organization = organizations[0] ?? expect.fail("there are sample organizations");
/** The document as the service has it now. */
const asked: Draft = { key: "a", changes: { stamp: "new", content }, content, state: "editing" };
const typed: Draft = { ...asked, content: { ...content, note: "Typed" } };

let saved: Draft[];

beforeEach(() => {
  saved = [];
  vi.spyOn(commands, "saveDraft").mockImplementation(async (_, draft) => {
    saved.push(draft);
    return { status: "ok", data: null };
  });
  runWithBinding();
});
afterEach(cleanup);

function newDrafts() {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  client.setQueryData([organization.id, "document-defaults"], {});
  const navigate = vi.fn();
  const navigation = { navigate, flushAutosaves: () => Promise.resolve() } as unknown as Navigation;
  const InWorkspace = workspaceWrapper({ client, workspace: { session: { impersonation: null } } });
  const { result } = renderHook(() => useNewDraft(), {
    wrapper: ({ children }) => (
      <InWorkspace>
        <NavigationContext value={navigation}>{children}</NavigationContext>
      </InWorkspace>
    ),
  });
  return { client, navigate, result };
}

/** Edits the document where this draft of it is kept, or where opening it fails. */
async function edit(kept: Draft | CommandError) {
  vi.spyOn(commands, "openDraft").mockImplementation(async () =>
    "kind" in kept ? { status: "error", error: kept } : { status: "ok", data: kept },
  );
  const { client, navigate, result } = newDrafts();
  await act(() => result.current.edit(asked));
  return {
    /** What the form begins with. */
    opened: navigate.mock.calls.length > 0 ? client.getQueryData<Draft>(draftKey(organization.id, "a")) : undefined,
    error: result.current.error?.kind,
  };
}

test("what was typed in the kept draft is in the form, and nothing is written over it", async () => {
  expect((await edit(typed)).opened).toEqual(typed);
  const older = { ...typed, changes: { stamp: "old", content } };
  expect((await edit(older)).opened, "the service has a newer state").toEqual(older);
  expect(saved).toEqual([]);
});

test("a draft that is being sent, or whose outcome is unknown, opens as it is", async () => {
  for (const state of ["sending", "unknownOutcome"] as const) {
    const kept: Draft = { ...asked, changes: { stamp: "old", content }, state };
    expect((await edit(kept)).opened).toEqual(kept);
  }
  expect(saved).toEqual([]);
});

test("without a draft that can be read, one is saved and opened", async () => {
  expect((await edit({ kind: "draftNotFound" })).opened).toEqual(asked);
  expect((await edit({ kind: "unknownDraftVersion", version: 99 })).opened).toEqual(asked);
  expect(saved).toEqual([asked, asked]);
});

test("a draft in which nothing was typed begins anew when its document has changed", async () => {
  const before = { ...content, note: "Before" };
  expect((await edit({ ...asked, changes: { stamp: "old", content: before }, content: before })).opened).toEqual(asked);
  expect(saved).toEqual([asked]);
});

test("a draft that cannot be opened is not written over, and the error says why", async () => {
  expect(await edit({ kind: "draftInOtherWindow", key: "a" })).toEqual({ opened: undefined, error: "draftInOtherWindow" });
  expect(saved).toEqual([]);
});

test("a key that repeats makes one draft, and the next press another one", async () => {
  const create = vi.spyOn(commands, "newDraft").mockResolvedValue({ status: "ok", data: asked });
  const { navigate, result } = newDrafts();
  await act(async () => {
    expect(await Promise.all([result.current.start(null), result.current.start(null)])).toEqual([true, false]);
  });
  expect(create).toHaveBeenCalledOnce();
  await act(() => result.current.start(null));
  expect(create).toHaveBeenCalledTimes(2);
  expect(navigate).toHaveBeenCalledTimes(2);
});
