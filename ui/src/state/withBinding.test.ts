/** Tests of the renewal of an outdated binding. */
import { describe, expect, test } from "vitest";
import type { CommandError, Snapshot, WindowBinding } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { withBindingFrom } from "./withBinding";

const bound = (organization: string, generation: number): Snapshot => ({
  revision: generation,
  session: { state: "starting" },
  binding: { organization, generation },
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
const stale: CommandError = { kind: "staleBinding" };

/** A command that accepts one generation and records its calls. */
function core(generation: number) {
  const calls: WindowBinding[] = [];
  const command = async (binding: WindowBinding) => {
    calls.push(binding);
    return binding.generation === generation
      ? ({ status: "ok", data: "done" } as const)
      : ({ status: "error", error: stale } as const);
  };
  return { calls, command };
}

describe("withBinding", () => {
  test("passes the binding of the window", async () => {
    const { calls, command } = core(1);
    expect(await withBindingFrom({ current: () => bound("a", 1), next: async () => null }, "a", command)).toBe("done");
    expect(calls).toEqual([{ organization: "a", generation: 1 }]);
  });
  test("retries once with the new binding when the generation is outdated", async () => {
    const { calls, command } = core(3);
    expect(await withBindingFrom({ current: () => bound("a", 1), next: async () => bound("a", 3) }, "a", command)).toBe("done");
    expect(calls.map(({ generation }) => generation)).toEqual([1, 3]);
  });
  test("fails before the call when the window is bound to another organization", async () => {
    const { calls, command } = core(2);
    const refused = withBindingFrom({ current: () => bound("b", 2), next: async () => null }, "a", command);
    expect(await refused.catch(commandError)).toEqual(stale);
    expect(calls).toEqual([]);
  });
  test("does not retry in another organization", async () => {
    const { calls, command } = core(2);
    const refused = withBindingFrom({ current: () => bound("a", 1), next: async () => bound("b", 2) }, "a", command);
    expect(await refused.catch(commandError)).toEqual(stale);
    expect(calls.length).toBe(1);
  });
  test("throws any other error of the command", async () => {
    const error: CommandError = { kind: "draftNotFound" };
    const failed = withBindingFrom({ current: () => bound("a", 1), next: async () => null }, "a", async () => ({
      status: "error",
      error,
    }));
    expect(await failed.catch(commandError)).toEqual(error);
  });
});
