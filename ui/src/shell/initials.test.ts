/** Tests of the initials of a person. */
import { expect, test } from "vitest";
import { initials } from "./initials";

test("initials have two Latin letters or one Arabic letter", () => {
  expect(initials("Noura Al-Harbi")).toBe("NA");
  expect(initials("نورة الحربي")).toBe("ن");
  expect(initials("")).toBe("");
});
