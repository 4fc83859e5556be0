/** Tests of the days of the reports: what is wrong with them is said at their field, and reports are read of days that are right. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { hasProblem, type Period } from "./periods";
import { RangeFields } from "./RangeFields";

afterEach(cleanup);

test.each([
  ["en", "Choose a day that is not before the first one."],
  ["ar", "اختر يومًا لا يسبق اليوم الأول."],
] as const)("a last day before the first one is told in %s", (language, words) => {
  const range = { from: "2026-10-01", to: "2026-09-30" };
  renderInWorkspace(<RangeFields range={range} onChange={() => undefined} />, { language });
  expect(screen.getByText(words)).toBeTruthy();
});

test("a day without its month is said to be none, and no report is read of it", () => {
  const onChange = vi.fn<(range: Period) => void>();
  renderInWorkspace(<RangeFields range={{ from: "2026-10-01", to: "2026-12-31" }} onChange={onChange} />);
  const month = document.querySelector("[role=spinbutton][data-type=month]") ?? expect.fail("there is a month");
  // One digit at a time.
  for (const _ of "10") fireEvent.keyDown(month, { key: "Delete", code: "Delete" });
  expect(screen.getByText("Enter a date: this is none.")).toBeTruthy();
  for (const [range] of onChange.mock.calls) expect(hasProblem(range)).toBe(false);
});
