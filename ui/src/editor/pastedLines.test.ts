import { expect, test } from "vitest";
import { parsePastedLines } from "./pastedLines";

test("a single word is not parsed as lines", () => {
  expect(parsePastedLines("Gloves", "en")).toBeNull();
});
