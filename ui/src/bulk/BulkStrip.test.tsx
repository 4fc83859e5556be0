/** Tests of the line of a bulk run: its begin and its end are announced, and not each document between them; its buttons say of which run they are. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { ANNOUNCE_MS } from "../components/useAnnouncement";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { BulkRun } from "../ipc/bindings";
import { BulkStrip } from "./BulkStrip";

vi.mock("../components/announce");

beforeEach(() => {
  vi.mocked(announce).mockClear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const run: BulkRun = {
  id: "r",
  action: "issue",
  folder: null,
  state: "running",
  plan: { count: 9, sums: [], skipped: 0 } as unknown as BulkRun["plan"],
  collected: 9,
  done: 0,
  failed: 0,
  started: "2026-11-03T09:00:00Z",
  durable: true,
  interrupted: false,
  error: null,
  changed: null,
};

function strip(...runs: BulkRun[]) {
  return <BulkStrip runs={runs} onShow={() => undefined} />;
}

const announced = () => {
  vi.advanceTimersByTime(ANNOUNCE_MS);
  return vi.mocked(announce).mock.calls.map(([text]) => text);
};

test("the begin and the end of a run are announced, and the steps between them only shown", () => {
  const { container, rerender } = renderInWorkspace(strip({ ...run, state: "collecting", done: 0 }));
  rerender(strip({ ...run, state: "running", done: 0 }));
  expect(announced()).toEqual(["Issuing: 0 of 9"]);
  for (const done of [1, 2, 3]) {
    rerender(strip({ ...run, state: "running", done }));
    expect(announced()).toHaveLength(1);
  }
  expect(container.querySelector("[data-bulk]")?.textContent).toMatch(/3\W* of \W*9/);
  expect(container.querySelector("[role=status], [aria-live]")).toBeNull();
  rerender(strip({ ...run, state: "finished", done: 9 }));
  expect(announced()).toEqual(["Issuing: 0 of 9", "9 documents are issued."]);
});

test("a run that the disk has stopped says what is safe and what leads on, and one that saves names its folder", () => {
  const saving: BulkRun = { ...run, action: "savePdf", folder: "May", state: "stopped", done: 4 };
  const { container, rerender } = renderInWorkspace(
    strip({ ...saving, error: { kind: "notSaved", problem: "noSpace", reason: "no storage space" } }),
  );
  expect(screen.getByRole("alert").textContent).toMatch(/The disk is full\. .* stay in the folder\. Make room, then continue\./);
  expect(screen.getByRole("group").getAttribute("aria-label")).toMatch(/^Saving 9 documents as PDF, started /);
  rerender(strip({ ...saving, state: "finished", done: 9 }));
  expect(container.textContent).toMatch(/9\W* files are in \W*May\W*\./);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the buttons of a run, and its group, say of which run they are", () => {
  vi.setSystemTime("2026-11-26T12:00:00Z");
  const other: BulkRun = { ...run, id: "s", action: "freeze", state: "stopped", started: "2026-11-04T09:00:00Z" };
  renderInWorkspace(strip(run, other));
  const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label") ?? "");
  const [issuing, freezing] = screen.getAllByRole("group").map((group) => group.getAttribute("aria-label") ?? "");
  expect(issuing).toMatch(/^Issuing 9 documents, started 3 Nov 2026/);
  expect(freezing).toMatch(/^Freezing 9 documents, started 4 Nov 2026/);
  expect(names).toEqual([
    `Show: ${issuing}`,
    `Stop: ${issuing}`,
    `Continue: ${freezing}`,
    `Show: ${freezing}`,
    `Do not continue: ${freezing}`,
  ]);
});
