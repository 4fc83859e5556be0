/** Tests of what a view announces: what appears, once it has stayed for a while, and what a search has found. */

import { cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { announce } from "./announce";
import { ANNOUNCE_MS, useAnnouncement, useResultAnnouncement } from "./useAnnouncement";

vi.mock("./announce");

beforeEach(() => {
  vi.mocked(announce).mockClear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const announced = () => {
  vi.advanceTimersByTime(ANNOUNCE_MS);
  return vi.mocked(announce).mock.calls.map(([text]) => text);
};

test("a text is announced once it has stayed, also the first one of a view", () => {
  const { rerender } = renderHook(({ text }) => useAnnouncement(text), { initialProps: { text: "one" as string | null } });
  expect(announce).not.toHaveBeenCalled();
  rerender({ text: "two" });
  vi.advanceTimersByTime(ANNOUNCE_MS - 1);
  rerender({ text: "\u2068three\u2069" });
  expect(announced()).toEqual(["three"]);
  rerender({ text: null });
  expect(announced()).toEqual(["three"]);
  rerender({ text: "three" });
  expect(announced()).toEqual(["three", "three"]);
});

test("a text that counts is announced again only when it is about something else", () => {
  const { rerender } = renderHook(({ text, about }) => useAnnouncement(text, about), {
    initialProps: { text: "1 of 9", about: "running" },
  });
  rerender({ text: "2 of 9", about: "running" });
  expect(announced()).toEqual(["2 of 9"]);
  rerender({ text: "3 of 9", about: "running" });
  expect(announced()).toEqual(["2 of 9"]);
  rerender({ text: "All 9", about: "finished" });
  expect(announced()).toEqual(["2 of 9", "All 9"]);
});

function wrapper({ children }: { children: ReactNode }) {
  return <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>{children}</LocalizerProvider>;
}

test("the count of a search is announced after the last key, and nothing without a search", () => {
  const { rerender } = renderHook(({ search, count }) => useResultAnnouncement(search, count, "Nothing fits."), {
    initialProps: { search: "", count: 9 as number | null },
    wrapper,
  });
  expect(announced()).toEqual([]);
  rerender({ search: "n", count: 5 });
  rerender({ search: "no", count: null });
  expect(announced()).toEqual([]);
  rerender({ search: "no", count: 2 });
  expect(announced()).toEqual(["2 results"]);
  rerender({ search: "noo", count: 0 });
  expect(announced()).toEqual(["2 results", "Nothing fits."]);
});

test("the first page of what a search has found is not announced as all of it", () => {
  renderHook(() => useResultAnnouncement("n", 100, "Nothing fits.", true), { wrapper });
  expect(announced()).toEqual(["Now shown: 100"]);
});
