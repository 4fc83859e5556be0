/** Tests of times of today and of other days. */
import { expect, test } from "vitest";
import { createLocalizer } from "../i18n/localizer";
import { timeText } from "./timeText";

const now = new Date(2026, 10, 26, 9, 0);
const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 5).toISOString();

test("a time of today has no date, and one of another day has", () => {
  const { format } = createLocalizer("en", "latin");
  expect(timeText(at(26, 8), format, now)).toBe("08:05");
  expect(timeText(at(25, 16), format, now)).toBe("25 Nov 2026, 16:05");
  expect(timeText(at(27, 8), format, now)).toBe("27 Nov 2026, 08:05");
});

test("the date of another day is that of the calendar of the settings", () => {
  const { format } = createLocalizer("en", "latin", undefined, { calendar: "ummAlQura" });
  expect(timeText(at(25, 16), format, now)).toBe(format.dateTime(at(25, 16)));
  expect(timeText(at(25, 16), format, now)).not.toContain("2026");
});

test("what is no time stays as it is", () => {
  const { format } = createLocalizer("en", "latin");
  expect(timeText("soon", format, now)).toBe("soon");
});
