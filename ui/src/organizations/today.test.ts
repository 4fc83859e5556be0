/** Tests of today in the time zone of an organization. */

import { expect, test } from "vitest";
import { toIsoDate } from "../components/isoDate";
import { todayOf } from "./today";

const NOW = new Date("2026-11-25T22:30:00Z");

test("the day begins in the time zone of the organization", () => {
  expect(toIsoDate(todayOf({ timeZone: "Asia/Riyadh" }, NOW))).toBe("2026-11-26");
  expect(toIsoDate(todayOf({ timeZone: "America/New_York" }, NOW))).toBe("2026-11-25");
});

test("without a time zone that is known the day is the computer's", () => {
  for (const timeZone of ["", "Mars/Olympus_Mons"]) expect(toIsoDate(todayOf({ timeZone }, NOW))).toBe(toIsoDate(NOW));
});
