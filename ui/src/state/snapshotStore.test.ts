/** Tests of the binding in the next snapshot of the session. */
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../ipc/bindings";
import { withLatestBinding } from "./snapshotStore";

const snapshot = (revision: number, binding: Snapshot["binding"]): Snapshot => ({
  revision,
  session: { state: "starting" },
  binding,
  pendingRetries: [],
  deliveries: 0,
  changedData: { documents: 0, drafts: 0, masterData: 0, templates: 0, listSettings: 0, administration: 0 },
  openedFiles: 0,
  linkWaits: false,
  menuChoiceWaits: false,
  preferencesSaved: 0,
  lostOrganization: null,
  bulkProgress: 0,
});
const first = { organization: "a", generation: 1 };
const second = { organization: "b", generation: 2 };

describe("the binding of the next snapshot", () => {
  test("replaces an earlier one", () => {
    expect(withLatestBinding(snapshot(5, first), snapshot(6, second)).binding).toEqual(second);
  });
  test("does not replace a later one that a switch has returned", () => {
    expect(withLatestBinding(snapshot(5, second), snapshot(6, first)).binding).toEqual(second);
  });
  test("is that of the later of two switches, whose answers come in the other order", () => {
    expect(withLatestBinding(snapshot(5, second), snapshot(5, first)).binding).toEqual(second);
  });
  test("is absent after a sign-out", () => {
    expect(withLatestBinding(snapshot(5, second), snapshot(6, null)).binding).toBeNull();
  });
  test("replaces a later one of a core that has stopped", () => {
    expect(withLatestBinding(snapshot(5, second), snapshot(2, first)).binding).toEqual(first);
  });
});
