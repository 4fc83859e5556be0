/** Tests of what a notice says to a screen reader: a warning once it has appeared, and not the seconds that it counts. */

import { act, cleanup, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { ANNOUNCE_MS } from "../components/useAnnouncement";
import { errors } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { PendingRetry } from "../ipc/bindings";
import type { ErrorContext } from "./errorRow";
import { Notice } from "./Notice";
import { RetryNotice } from "./RetryNotice";

vi.mock("../components/announce");
vi.mock("./useErrorContext", () => ({
  useErrorContext: (): ErrorContext => ({
    organization: "Noor",
    environment: "Staging",
    otherOrganizations: false,
    lastAnswer: "",
    number: "",
    fields: "",
    writesWaiting: 3,
    seconds: 0,
  }),
}));

beforeEach(() => {
  vi.mocked(announce).mockClear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const announced = () => vi.mocked(announce).mock.calls.map(([text]) => text);
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

function show(notice: ReactElement) {
  return render(notice, {
    wrapper: ({ children }) => (
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>{children}</LocalizerProvider>
    ),
  });
}

const statusText = () => screen.getByRole("status").textContent?.replace(/[\u2068\u2069]/g, "");

test("a warning is announced once it has appeared, and another text of it too", () => {
  const { rerender } = show(<Notice severity="warning" variant="inline" text="No connection" />);
  pass(ANNOUNCE_MS);
  rerender(<Notice severity="warning" variant="inline" text="No connection" />);
  pass(ANNOUNCE_MS);
  expect(announced()).toEqual(["No connection"]);
  rerender(<Notice severity="warning" variant="inline" text="No connection since noon" />);
  pass(ANNOUNCE_MS);
  expect(announced()).toEqual(["No connection", "No connection since noon"]);
  expect(screen.getByRole("status").getAttribute("aria-live"), "it is not read a second time").toBe("off");
});

test("an error is an alert, which is announced by itself, and a part of a document is not announced", () => {
  show(
    <>
      <Notice severity="error" variant="inline" text="It failed" />
      <Notice severity="info" variant="card" text="It was cleared" about={null} />
    </>,
  );
  pass(ANNOUNCE_MS);
  expect(announced()).toEqual([]);
  expect(screen.getByRole("alert").textContent).toBe("It failed");
});

test("the seconds until the next write are counted on the screen, and read once", () => {
  vi.setSystemTime("2026-11-03T09:00:00Z");
  const retry = { id: 1, error: errors.rateLimited[0], write: true, until: "2026-11-03T09:00:30Z" } as unknown as PendingRetry;
  show(<RetryNotice retry={retry} variant="inline" />);
  expect(statusText()).toContain("the next goes in 30 s");
  pass(5000);
  expect(statusText()).toContain("the next goes in 25 s");
  expect(announced()).toEqual([expect.stringContaining("3 writes wait; the next goes in")]);
});
