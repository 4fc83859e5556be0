/** Tests of reading limits as they are typed. */
import { describe, expect, test } from "vitest";
import { limitTexts, readLimit, readLimits } from "./limitTexts";

describe("limits", () => {
  test("an empty text does not limit, and 0 allows nothing", () => {
    expect(readLimit("  ")).toBeNull();
    expect(readLimit("0")).toBe(0);
  });

  test("digits of every script that a keyboard writes are read, and nothing else", () => {
    expect([readLimit("٢٥٠"), readLimit("۲۵۰")]).toEqual([250, 250]);
    for (const text of ["-1", "1.5", "ten", "99999999999", "2147483648"]) expect(readLimit(text)).toBeUndefined();
  });

  test("limits are the same after they were shown", () => {
    const limits = { documents: 100, requests: null, users: 0 };
    expect(readLimits(limitTexts(limits))).toEqual(limits);
    expect(readLimits({ documents: "x", requests: "", users: "" })).toBeNull();
  });
});
