/** Tests of the order and number of the writes of autosave. */
import { describe, expect, test, vi } from "vitest";
import { createAutosave } from "./autosave";

/** An autosave whose writes begin when the test paints, and finish when it settles them. */
function controlledSave() {
  const saved: string[] = [];
  const waiting: { value: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const delayed = new Set<() => void>();
  const autosave = createAutosave<string>(
    (value) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ value, resolve: () => (saved.push(value), resolve()), reject });
      }),
    (begin) => {
      delayed.add(begin);
      return () => delayed.delete(begin);
    },
  );
  const paint = async () => {
    for (const begin of delayed) begin();
    delayed.clear();
    await new Promise((done) => setTimeout(done));
  };
  const settle = async (how: "resolve" | "reject" = "resolve") => {
    const next = waiting.shift();
    if (!next) throw new Error("nothing is being saved");
    if (how === "resolve") next.resolve();
    else next.reject(new Error("no space"));
    await new Promise((done) => setTimeout(done));
  };
  return { autosave, saved, waiting, paint, settle };
}

describe("autosave", () => {
  test("what is typed is painted before it is written, and only the newest is written", async () => {
    const { autosave, waiting, paint } = controlledSave();
    for (const value of ["a", "ab"]) autosave.schedule(value);
    expect(waiting).toEqual([]);
    await paint();
    expect(waiting.map(({ value }) => value)).toEqual(["ab"]);
  });

  test("writes are sequential and skip values that are outdated", async () => {
    const { autosave, saved, waiting, paint, settle } = controlledSave();
    autosave.schedule("a");
    await paint();
    for (const value of ["ab", "abc"]) autosave.schedule(value);
    await paint();
    expect(waiting.map(({ value }) => value)).toEqual(["a"]);
    await settle();
    await paint();
    await settle();
    expect(saved, "the outdated value is skipped").toEqual(["a", "abc"]);
  });

  test("flush waits for no paint, and resolves after the last write", async () => {
    const { autosave, saved, waiting, settle } = controlledSave();
    autosave.schedule("a");
    const flushed = autosave.flush();
    await expect.poll(() => waiting.length).toBe(1);
    autosave.schedule("b");
    await settle();
    await settle();
    await flushed;
    expect(saved).toEqual(["a", "b"]);
  });

  test("a failed write is reported and retried by flush", async () => {
    const { autosave, saved, paint, settle } = controlledSave();
    const failures: boolean[] = [];
    autosave.subscribe(() => failures.push(autosave.failure() !== null));
    autosave.schedule("a");
    await paint();
    await settle("reject");
    expect(failures.at(-1)).toBe(true);
    const leaving = autosave.flush();
    await new Promise((done) => setTimeout(done));
    await settle();
    await leaving;
    expect([saved, failures.at(-1)]).toEqual([["a"], false]);
  });

  test("it is settled when the last value is written, and not before", async () => {
    const { autosave, paint, settle } = controlledSave();
    const states = [autosave.isSettled()];
    autosave.subscribe(() => states.push(autosave.isSettled()));
    autosave.schedule("a");
    await paint();
    autosave.schedule("ab");
    await settle();
    expect(states).toEqual([true, false]);
    await paint();
    await settle();
    expect(states).toEqual([true, false, true]);
  });

  test("flush rejects when the retry fails", async () => {
    const { autosave, paint, settle } = controlledSave();
    autosave.schedule("a");
    await paint();
    await settle("reject");
    const leaving = autosave.flush();
    const refused = expect(leaving).rejects.toThrow("no space");
    await new Promise((done) => setTimeout(done));
    await settle("reject");
    await refused;
  });

  test("a stopped autosave writes nothing, also not what waits for a paint", async () => {
    const { autosave, waiting, paint } = controlledSave();
    autosave.schedule("a");
    autosave.stop();
    autosave.schedule("b");
    await paint();
    await autosave.flush();
    expect(waiting).toEqual([]);
  });

  test("what waits is written before the value is deleted, and what comes during the deletion is not", async () => {
    const { autosave, saved, waiting, paint, settle } = controlledSave();
    const deletions: (() => void)[] = [];
    autosave.schedule("a");
    const deleted = autosave.endWith(
      () =>
        new Promise<string>((resolve) => {
          deletions.push(() => resolve("gone"));
        }),
      true,
    );
    await expect.poll(() => waiting.length).toBe(1);
    autosave.schedule("ab");
    await settle();
    await settle();
    await expect.poll(() => deletions.length).toBe(1);
    autosave.schedule("late");
    const flushed = autosave.flush();
    await paint();
    expect(waiting).toEqual([]);
    deletions.shift()?.();
    expect(await deleted).toBe("gone");
    await flushed;
    autosave.schedule("later");
    await paint();
    expect([saved, waiting]).toEqual([["a", "ab"], []]);
  });

  test("a deletion that fails leaves saving as it was, with what came during it", async () => {
    const { autosave, saved, waiting, paint, settle } = controlledSave();
    const refusals: (() => void)[] = [];
    const deleted = autosave.endWith(
      () =>
        new Promise<void>((_, reject) => {
          refusals.push(() => reject(new Error("no connection")));
        }),
      true,
    );
    const refused = expect(deleted).rejects.toThrow("no connection");
    await expect.poll(() => refusals.length).toBe(1);
    autosave.schedule("late");
    await paint();
    expect(waiting).toEqual([]);
    refusals.shift()?.();
    await refused;
    await paint();
    await settle();
    expect(saved).toEqual(["late"]);
  });

  test.each([
    [true, 0],
    [false, 1],
  ] as const)("a value that cannot be written and is needed (%s) is deleted %i times", async (needsAll, times) => {
    const { autosave, waiting, settle } = controlledSave();
    const remove = vi.fn(() => Promise.resolve());
    autosave.schedule("a");
    const deleted = autosave.endWith(remove, needsAll).catch(() => undefined);
    for (const _ of "12") {
      await expect.poll(() => waiting.length).toBe(1);
      await settle("reject");
    }
    await deleted;
    expect(remove).toHaveBeenCalledTimes(times);
  });
});
