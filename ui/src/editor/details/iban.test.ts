/** Tests of the check digits of an IBAN. */
import { expect, test } from "vitest";
import { isMistypedIban } from "./iban";

test("an IBAN whose check digits fit is right, with spaces and in small letters as well", () => {
  for (const account of ["SA03 8000 0000 6080 1016 7519", "sa0380000000608010167519", "AE070331234567890123456"])
    expect(isMistypedIban(account)).toBe(false);
});

test("two digits that changed places are found", () => {
  expect(isMistypedIban("SA03 8000 0000 6080 1016 7591")).toBe(true);
});

test("an account number of another kind, and one that is still being typed, are no mistake", () => {
  for (const account of ["", "SA03 8000", "0123456789012345", "ACCOUNT-7"]) expect(isMistypedIban(account)).toBe(false);
});
