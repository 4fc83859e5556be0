/** Tests of keyboard navigation in the grid. */
import { describe, expect, test } from "vitest";
import { rowAfterKey } from "./gridKeys";

describe("rowAfterKey", () => {
  const key = (name: string, part = {}) => ({ key: name, altKey: false, ...part });
  test("the index stays within the list", () => {
    expect(rowAfterKey(key("ArrowUp"), 0, 10, 5)).toBe(0);
    expect(rowAfterKey(key("PageDown"), 8, 10, 5)).toBe(9);
    expect(rowAfterKey(key("End"), 0, 1_000_000, 20)).toBe(999_999);
    expect(rowAfterKey(key("ArrowDown"), 0, 0, 5)).toBeNull();
  });
  test("other keys return null", () => {
    expect(rowAfterKey(key("a"), 3, 10, 5)).toBeNull();
    expect(rowAfterKey(key("ArrowDown", { altKey: true }), 3, 10, 5)).toBeNull();
  });
});
