/** Tests of exact arithmetic on decimal strings. */
import { describe, expect, test } from "vitest";
import { negate, sumDecimals } from "./decimal";

describe("decimal sums", () => {
  test("are exact where floats are not", () => {
    expect(sumDecimals(["0.1", "0.2"])).toBe("0.3");
    expect(sumDecimals(["9007199254740993.01", "0.01"])).toBe("9007199254740993.02");
  });
  test("keep the fraction digits of the most precise value", () => {
    expect(sumDecimals(["812.375", "1"])).toBe("813.375");
  });
  test("can be negative", () => {
    expect(sumDecimals(["1.00", "-1.50"])).toBe("-0.50");
    expect(sumDecimals(["-1.50", "1.50"])).toBe("0.00");
    expect(sumDecimals([])).toBe("0");
  });
  test("zero has no minus sign", () => {
    expect(negate("0.00")).toBe("0.00");
    expect(negate("-3")).toBe("3");
  });
});
