/** Tests of the search in organizations. */
import { expect, test } from "vitest";
import { organizations } from "../gallery/fixtures";
import { search } from "./search";

test("search ignores case, diacritics and Arabic letter forms", () => {
  const found = (text: string) =>
    search(
      [
        { ...organizations[0]!, foundBy: ["مؤسّسة الإخاء"] },
        { ...organizations[1]!, foundBy: ["Café Riyadh", "274893002"] },
      ],
      text,
    );
  expect(found("الاخاء").length).toBe(1);
  expect(found("cafe").length).toBe(1);
  expect(found("274893002 riyadh").length).toBe(1);
  expect(found("").length).toBe(2);
  expect(found("nobody").length).toBe(0);
});
