/** Tests of what stays selected when the list is another one, or is read again. */

import { act, cleanup, renderHook } from "@testing-library/react";
import { Activity, type ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { row as sample } from "../gallery/fixtures";
import type { InvoiceRow } from "../ipc/bindings";
import { addRows, selectionOfAll, sums } from "./selection";
import { useSelection } from "./useSelection";

afterEach(cleanup);

const row = (key: string, gross = "1.00"): InvoiceRow => ({ ...sample, key, gross });
const before = [row("a"), row("b")];

interface Shown {
  resetKey?: string;
  outdated?: boolean;
  loaded?: readonly InvoiceRow[];
}

function open() {
  const { result, rerender } = renderHook(
    ({ resetKey = "all", outdated = false, loaded = before }: Shown) =>
      useSelection({ loaded, total: loaded.length, outdated }, resetKey),
    { initialProps: {} as Shown },
  );
  return {
    rerender,
    select: (...rows: InvoiceRow[]) => act(() => result.current[1]((current) => addRows(current, rows))),
    selectAll: () => act(() => result.current[1](selectionOfAll)),
    selection: () => result.current[0],
    selected: () => [...result.current[0].rows.keys()].join(" "),
  };
}

test("what is ticked stays ticked while the account signs in again, when the list is hidden", () => {
  let mode: "visible" | "hidden" = "visible";
  const wrapper = ({ children }: { children: ReactNode }) => <Activity mode={mode}>{children}</Activity>;
  const shown = { loaded: before, total: before.length, outdated: false };
  const { result, rerender } = renderHook(() => useSelection(shown, "all"), { wrapper });
  act(() => result.current[1]((current) => addRows(current, [row("a")])));
  for (mode of ["hidden", "visible"] as const) rerender();
  expect([...result.current[0].rows.keys()]).toEqual(["a"]);
});

test("another filter begins with nothing selected", () => {
  const { rerender, select, selected } = open();
  select(row("a"));
  rerender({ resetKey: "drafts" });
  expect(selected()).toBe("");
});

test("a row of the former filter, ticked while the new one is read, is not selected in the new one", () => {
  const { rerender, select, selected } = open();
  rerender({ resetKey: "drafts", outdated: true });
  select(row("a"));
  expect(selected()).toBe("a");
  rerender({ resetKey: "drafts", loaded: [row("a"), row("c")] });
  expect(selected()).toBe("");
});

test("all of a filter that is being read is all of its answer", () => {
  const { rerender, selectAll, selection } = open();
  rerender({ resetKey: "drafts", outdated: true });
  selectAll();
  rerender({ resetKey: "drafts", loaded: [row("c")] });
  expect(selection().base).toBe("all");
});

test("the sums are those of the rows as they are read again, without one that was deleted", () => {
  const { rerender, select, selection } = open();
  select(row("a"), row("b"));
  rerender({ loaded: [row("b", "7.00")] });
  expect(sums(selection(), [])).toMatchObject([{ count: 1, gross: "7.00" }]);
});
