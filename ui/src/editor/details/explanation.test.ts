/** Tests of the names and operands in the explanation of an amount. */
import { describe, expect, test } from "vitest";
import { content } from "../../gallery/fixtures";
import { createLocalizer, plainText } from "../../i18n/localizer";
import type { ExplanationStep } from "../../ipc/bindings";
import { newAllowanceCharge, withAllDetails, withAllowances } from "./detailFields";
import { amountName, roundedDigits, shownInputs } from "./explanation";

const english = createLocalizer("en", "latin");
const step: ExplanationStep = {
  path: "totals.net",
  term: "BT-109",
  rule: "BR-CO-13",
  inputs: [
    { operation: "plus", path: "totals.lines", value: "0.00" },
    { operation: "minus", path: "totals.allowances", value: "0.00" },
    { operation: "plus", path: "totals.charges", value: "5.00" },
  ],
  unrounded: null,
  unroundedIsExact: true,
  result: "5.00",
};

describe("explanation", () => {
  test("operands of zero are left out, but the first one", () => {
    expect(shownInputs(step).map(({ path }) => path)).toEqual(["totals.lines", "totals.charges"]);
  });
  test("rounding is told only where digits were taken away", () => {
    const digits = (unrounded: string | null, unroundedIsExact = true) =>
      roundedDigits({ ...step, unrounded, unroundedIsExact }, "SAR");
    expect(digits(null)).toBeNull();
    expect(digits("163.7200")).toBeNull();
    expect(digits("163.725")).toBe("163.725");
    expect(digits("33.333333333333", false)).toBe("33.333333333333");
    expect(roundedDigits({ ...step, unrounded: "1.234" }, "KWD")).toBeNull();
  });
  test("amounts are named in words", () => {
    const charged = withAllowances(withAllDetails(content), 1, (items) => [
      ...items,
      newAllowanceCharge("charge", undefined, false),
    ]);
    const taxBreakdown = [{ category: "S", rate: "15", taxable: "1", tax: "0.15" }];
    const name = (path: string) => plainText(amountName(path, { content: charged, taxBreakdown }, english));
    expect(name("totals.payable")).toBe("Payable");
    expect(name("lines[1].net")).toBe("Line 2");
    expect(name("lines[1].unitPrice")).toBe("Unit price");
    expect(name("lines[1].allowancesCharges[0].amount")).toBe("Charge 1, line 2");
    expect(name("lines[1].allowancesCharges[0].base")).toBe("Base amount");
    expect(name("taxBreakdown[0].tax")).toBe("Tax, 15\u00a0%");
  });
});
