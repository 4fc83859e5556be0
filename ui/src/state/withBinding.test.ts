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
});
const stale: CommandError = { kind: "staleBinding" };

/** A core that takes one generation only, and what it was called with. */
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

describe("a call in an organization", () => {
  test("carries the window's binding", async () => {
    const { calls, command } = core(1);
    expect(await withBindingFrom({ current: () => bound("a", 1), next: async () => null }, "a", command)).toBe("done");
    expect(calls).toEqual([{ organization: "a", generation: 1 }]);
  });
  test("is bound again quietly when its generation has become outdated", async () => {
    const { calls, command } = core(3);
    expect(await withBindingFrom({ current: () => bound("a", 1), next: async () => bound("a", 3) }, "a", command)).toBe("done");
    expect(calls.map(({ generation }) => generation)).toEqual([1, 3]);
  });
  test("is never made once the window has left the organization", async () => {
    const { calls, command } = core(2);
    const refused = withBindingFrom({ current: () => bound("b", 2), next: async () => null }, "a", command);
    expect(await refused.catch(commandError)).toEqual(stale);
    expect(calls).toEqual([]);
  });
  test("is not repeated in another organization", async () => {
    const { calls, command } = core(2);
    const refused = withBindingFrom({ current: () => bound("a", 1), next: async () => bound("b", 2) }, "a", command);
    expect(await refused.catch(commandError)).toEqual(stale);
    expect(calls.length).toBe(1);
  });
  test("fails with its own error otherwise", async () => {
    const error: CommandError = { kind: "draftNotFound" };
    const failed = withBindingFrom({ current: () => bound("a", 1), next: async () => null }, "a", async () => ({
      status: "error",
      error,
    }));
    expect(await failed.catch(commandError)).toEqual(error);
  });
});
