/** Tests of the date ranges that filters offer. */
import { expect, test } from "vitest";
import { datePresets } from "./datePresets";

test("presets cover whole months, also in January", () => {
  expect(datePresets(new Date(2026, 0, 31))).toEqual([
    { id: "month", from: "2026-01-01", to: "2026-01-31" },
    { id: "last-month", from: "2025-12-01", to: "2025-12-31" },
    { id: "year", from: "2026-01-01", to: "2026-12-31" },
  ]);
});
