/** Tests of what the bar of the sums announces: a selection with its sums, also the first one, and once after several keys. */

import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { ANNOUNCE_MS } from "../components/useAnnouncement";
import { row } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { SumsBar } from "./SumsBar";
import { addRows, emptySelection, type Selection } from "./selection";

vi.mock("../components/announce");

beforeEach(() => {
  vi.mocked(announce).mockClear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const bar = (selection: Selection) => (
  <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
    <SumsBar selection={selection} total={9} all={[]} />
  </LocalizerProvider>
);
const one = addRows(emptySelection, [row]);
const two = addRows(one, [{ ...row, key: "another" }]);

const announced = () => {
  vi.advanceTimersByTime(ANNOUNCE_MS);
  return vi.mocked(announce).mock.calls.map(([text]) => text.replaceAll("\u00a0", " "));
};

test("the first selection is announced, and what several keys have selected once", () => {
  const { rerender } = render(bar(emptySelection));
  expect(announced()).toEqual([]);
  rerender(bar(one));
  expect(announced()).toEqual(["1 selected, Net SAR 20,000.00, Tax 3,000.00, Gross 23,000.00"]);
  rerender(bar(emptySelection));
  vi.mocked(announce).mockClear();
  rerender(bar(one));
  rerender(bar(two));
  expect(announced()).toEqual(["2 selected, Net SAR 40,000.00, Tax 6,000.00, Gross 46,000.00"]);
});
