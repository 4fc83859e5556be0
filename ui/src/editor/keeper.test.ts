import { describe, expect, test } from "vitest";
import { createKeeper, type Kept } from "./keeper";

/** Saves that finish when the test says so. */
function disk() {
  const saved: string[] = [];
  const waiting: { value: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const told: Kept["state"][] = [];
  const keeper = createKeeper<string>(
    (value) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ value, resolve: () => (saved.push(value), resolve()), reject });
      }),
    ({ state }) => told.push(state),
  );
  const settle = async (how: "resolve" | "reject" = "resolve") => {
    const next = waiting.shift();
    if (!next) throw new Error("nothing is being saved");
    if (how === "resolve") next.resolve();
    else next.reject(new Error("no space"));
    await new Promise((done) => setTimeout(done));
  };
  return { keeper, saved, waiting, told, settle };
}

describe("keeping a draft", () => {
  test("saves at once, one after the other, and the latest last", async () => {
    const { keeper, saved, waiting, settle } = disk();
    for (const value of ["a", "ab", "abc"]) keeper.keep(value);
    expect(waiting.map(({ value }) => value)).toEqual(["a"]);
    await settle();
    await settle();
    expect(saved, "what lies between is skipped").toEqual(["a", "abc"]);
  });

  test("is finished only when the last change is on the disk", async () => {
    const { keeper, saved, settle } = disk();
    keeper.keep("a");
    keeper.keep("b");
    const flushed = keeper.flush();
    await settle();
    await settle();
    await flushed;
    expect(saved).toEqual(["a", "b"]);
  });

  test("says when the disk refuses, and tries once more before anything is left", async () => {
    const { keeper, saved, told, settle } = disk();
    keeper.keep("a");
    await settle("reject");
    expect(told.at(-1)).toBe("notKept");
    const leaving = keeper.flush();
    await new Promise((done) => setTimeout(done));
    await settle();
    await leaving;
    expect([saved, told.at(-1)]).toEqual([["a"], "kept"]);
  });

  test("holds the person where it is when nothing can be kept", async () => {
    const { keeper, settle } = disk();
    keeper.keep("a");
    await settle("reject");
    const leaving = keeper.flush();
    const refused = expect(leaving).rejects.toThrow("no space");
    await new Promise((done) => setTimeout(done));
    await settle("reject");
    await refused;
  });

  test("keeps nothing more once the draft has become a document", async () => {
    const { keeper, waiting } = disk();
    keeper.stop();
    keeper.keep("a");
    expect(waiting).toEqual([]);
    await keeper.flush();
  });
});
