import { describe, expect, test } from "vitest";
import { createAutosave, type SaveState } from "./autosave";

/** An autosave whose writes finish when the test settles them. */
function controlledSave() {
  const saved: string[] = [];
  const waiting: { value: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const states: SaveState["state"][] = [];
  const autosave = createAutosave<string>(
    (value) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ value, resolve: () => (saved.push(value), resolve()), reject });
      }),
    ({ state }) => states.push(state),
  );
  const settle = async (how: "resolve" | "reject" = "resolve") => {
    const next = waiting.shift();
    if (!next) throw new Error("nothing is being saved");
    if (how === "resolve") next.resolve();
    else next.reject(new Error("no space"));
    await new Promise((done) => setTimeout(done));
  };
  return { autosave, saved, waiting, states, settle };
}

describe("autosave", () => {
  test("writes are sequential and skip values that are outdated", async () => {
    const { autosave, saved, waiting, settle } = controlledSave();
    for (const value of ["a", "ab", "abc"]) autosave.schedule(value);
    expect(waiting.map(({ value }) => value)).toEqual(["a"]);
    await settle();
    await settle();
    expect(saved, "the outdated value is skipped").toEqual(["a", "abc"]);
  });

  test("flush resolves after the last write", async () => {
    const { autosave, saved, settle } = controlledSave();
    autosave.schedule("a");
    autosave.schedule("b");
    const flushed = autosave.flush();
    await settle();
    await settle();
    await flushed;
    expect(saved).toEqual(["a", "b"]);
  });

  test("a failed write is reported and retried by flush", async () => {
    const { autosave, saved, states, settle } = controlledSave();
    autosave.schedule("a");
    await settle("reject");
    expect(states.at(-1)).toBe("failed");
    const leaving = autosave.flush();
    await new Promise((done) => setTimeout(done));
    await settle();
    await leaving;
    expect([saved, states.at(-1)]).toEqual([["a"], "saved"]);
  });

  test("flush rejects when the retry fails", async () => {
    const { autosave, settle } = controlledSave();
    autosave.schedule("a");
    await settle("reject");
    const leaving = autosave.flush();
    const refused = expect(leaving).rejects.toThrow("no space");
    await new Promise((done) => setTimeout(done));
    await settle("reject");
    await refused;
  });

  test("a stopped autosave writes nothing", async () => {
    const { autosave, waiting } = controlledSave();
    autosave.stop();
    autosave.schedule("a");
    expect(waiting).toEqual([]);
    await autosave.flush();
  });
});
