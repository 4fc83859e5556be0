/** Tests of the periods of reports. */
import { expect, test } from "vitest";
import { periodOf } from "./periods";

test("periods begin and end with whole months, also across the year", () => {
  const today = new Date(2026, 1, 14);
  expect(periodOf("month", today)).toEqual({ from: "2026-02-01", to: "2026-02-28" });
  expect(periodOf("last-month", today)).toEqual({ from: "2026-01-01", to: "2026-01-31" });
  expect(periodOf("quarter", today)).toEqual({ from: "2026-01-01", to: "2026-03-31" });
  expect(periodOf("last-quarter", today)).toEqual({ from: "2025-10-01", to: "2025-12-31" });
  expect(periodOf("twelve", today)).toEqual({ from: "2025-03-01", to: "2026-02-28" });
  expect(periodOf("last-year", today)).toEqual({ from: "2025-01-01", to: "2025-12-31" });
});
