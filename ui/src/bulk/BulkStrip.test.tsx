/** Tests of the line of a bulk run: its begin and its end are announced, and not each document between them. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { ANNOUNCE_MS } from "../components/useAnnouncement";
import { organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { BulkRun } from "../ipc/bindings";
import { createQueryClient } from "../state/queryClient";
import { type Workspace, WorkspaceContext } from "../state/workspace";
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

const client = createQueryClient();

function strip(state: BulkRun["state"], done: number) {
  const run: BulkRun = {
    id: "r",
    action: "issue",
    state,
    plan: { count: 9, sums: [], skipped: 0 } as unknown as BulkRun["plan"],
    collected: 9,
    done,
    failed: 0,
    started: "2026-11-03T09:00:00Z",
    durable: true,
    interrupted: false,
    error: null,
    changed: null,
  };
  return (
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization: organizations[0], retries: [] } as unknown as Workspace}>
          <BulkStrip runs={[run]} onShow={() => undefined} />
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>
  );
}

const announced = () => {
  vi.advanceTimersByTime(ANNOUNCE_MS);
  return vi.mocked(announce).mock.calls.map(([text]) => text);
};

test("the begin and the end of a run are announced, and the steps between them only shown", () => {
  const { container, rerender } = render(strip("collecting", 0));
  rerender(strip("running", 0));
  expect(announced()).toEqual(["Issuing: 0 of 9"]);
  for (const done of [1, 2, 3]) {
    rerender(strip("running", done));
    expect(announced()).toHaveLength(1);
  }
  expect(container.querySelector("[data-bulk]")?.textContent).toMatch(/3\W* of \W*9/);
  expect(container.querySelector("[role=status], [aria-live]")).toBeNull();
  rerender(strip("finished", 9));
  expect(announced()).toEqual(["Issuing: 0 of 9", "9 documents are issued."]);
});
