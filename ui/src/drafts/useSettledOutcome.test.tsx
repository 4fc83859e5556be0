/** Tests of when a form learns that the outcome of its draft is known. */

import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { organizations } from "../gallery/fixtures";
import { workspaceWrapper } from "../gallery/renderInWorkspace";
import type { DraftState, DraftSummary } from "../ipc/bindings";
import { draftsQuery } from "../queries/draftQueries";
import { createQueryClient } from "../state/queryClient";
import { withBinding } from "../state/withBinding";
import { useSettledOutcome } from "./useSettledOutcome";

vi.mock("../state/withBinding");
vi.mocked(withBinding).mockReturnValue(new Promise(() => undefined));

const organization = organizations[0] ?? expect.fail("there are sample organizations");
const sample: Omit<DraftSummary, "key"> = {
  kind: "invoice",
  buyer: { en: "Noor", ar: "" },
  lines: 1,
  gross: "115.00",
  currency: "SAR",
  updated: "2026-11-25T09:00:00Z",
  state: "editing",
  similar: [],
};

afterEach(cleanup);

/** How often the form was told, after the states that the list gave the draft. `null`: it is gone. */
async function told(states: readonly (DraftState | null)[], isUnknown = true): Promise<number> {
  const client = createQueryClient();
  const onSettled = vi.fn();
  renderHook(() => useSettledOutcome("a", isUnknown, onSettled), { wrapper: workspaceWrapper({ client }) });
  for (const state of states) {
    const list = [{ ...sample, key: "b" }, ...(state === null ? [] : [{ ...sample, key: "a", state }])];
    await act(async () => client.setQueryData(draftsQuery(organization.id).queryKey, list));
  }
  return onSettled.mock.calls.length;
}

test("a draft that is gone or edited again is settled once", async () => {
  expect(await told(["unknownOutcome", null, null])).toBe(1);
  expect(await told(["unknownOutcome", "editing", "editing"])).toBe(1);
  expect(await told(["unknownOutcome", "refused"])).toBe(1);
});

test("a list that is older than the failure says nothing", async () => {
  expect(await told(["editing", "sending"])).toBe(0);
  expect(await told(["editing", "sending", "unknownOutcome"])).toBe(0);
  expect(await told(["editing", "unknownOutcome", null])).toBe(1);
});

test("a draft that is still sent, or of which no outcome is unknown, is not settled", async () => {
  expect(await told(["unknownOutcome", "sending"])).toBe(0);
  expect(await told(["unknownOutcome", "waiting", "sending", null])).toBe(1);
  expect(await told(["unknownOutcome", null], false)).toBe(0);
});
