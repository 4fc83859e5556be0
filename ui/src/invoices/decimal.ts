/** Exact arithmetic on decimal strings, for the sums of the selection and for limits. No floating point. */

import { splitSign } from "../i18n/format";

/** The sum, with as many fraction digits as the most precise value. */
export function sumDecimals(values: readonly string[]): string {
  const fraction = Math.max(0, ...values.map((value) => value.split(".")[1]?.length ?? 0));
  let sum = 0n;
  for (const value of values) {
    const { negative, digits } = splitSign(value);
    const [whole = "0", part = ""] = digits.split(".");
    const scaled = BigInt(whole + part.padEnd(fraction, "0"));
    sum += negative ? -scaled : scaled;
  }
  const text = (sum < 0n ? -sum : sum).toString().padStart(fraction + 1, "0");
  const whole = text.slice(0, text.length - fraction);
  return `${sum < 0n ? "-" : ""}${whole}${fraction > 0 ? `.${text.slice(-fraction)}` : ""}`;
}

/** The value with the opposite sign. */
export function negate(value: string): string {
  const { negative, digits } = splitSign(value);
  return negative || /^[0.]*$/.test(digits) ? digits : `-${digits}`;
}

/** Whether the first value is larger. */
export function isGreater(one: string, other: string): boolean {
  return /^[^-]*[1-9]/.test(sumDecimals([one, negate(other)]));
}
