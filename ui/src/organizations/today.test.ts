/** Tests of today in the time zone of an organization. */

import { expect, test, vi } from "vitest";
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

test("the format of a time zone is made once", () => {
  const made: string[] = [];
  class Format extends Intl.DateTimeFormat {
    constructor(language: string, options: Intl.DateTimeFormatOptions) {
      super(language, options);
      made.push(options.timeZone ?? "");
    }
  }
  vi.stubGlobal("Intl", Object.create(Intl, { DateTimeFormat: { value: Format } }));
  for (const timeZone of ["Asia/Dubai", "Asia/Dubai"]) todayOf({ timeZone }, NOW);
  vi.unstubAllGlobals();
  expect(made).toEqual(["Asia/Dubai"]);
});
