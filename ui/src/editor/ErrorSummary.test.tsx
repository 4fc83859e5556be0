/** Tests of what the error summary says to a screen reader: itself when it appears, and not each key that it follows. */

import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { ANNOUNCE_MS } from "../components/useAnnouncement";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { ErrorSummary } from "./ErrorSummary";

vi.mock("../components/announce");

beforeEach(() => {
  vi.mocked(announce).mockClear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const summary = (title: string) => (
  <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
    <ErrorSummary fieldErrors={[]} title={title} onGo={() => undefined} />
  </LocalizerProvider>
);
const announced = () => {
  act(() => vi.advanceTimersByTime(ANNOUNCE_MS));
  return vi.mocked(announce).mock.calls.map(([text]) => text);
};

test("a summary that appears while somebody types is announced once, and is no alert", () => {
  const { rerender } = render(summary("2 things need attention"));
  expect(announced()).toEqual(["2 things need attention"]);
  rerender(summary("One thing needs attention"));
  expect(announced()).toEqual(["2 things need attention"]);
  expect(screen.getByRole("group", { name: "One thing needs attention" })).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a summary that takes the focus is read by it alone", () => {
  render(summary("2 things need attention"));
  act(() => screen.getByRole("group").focus());
  expect(announced()).toEqual([]);
});
