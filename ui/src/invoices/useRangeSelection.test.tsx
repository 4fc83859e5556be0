/** Tests of ranges over rows that are loaded late: what is selected when another key has come meanwhile. */

import { act, cleanup, renderHook } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showStatus } from "../components/statusMessage";
import { row as sample } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { InvoiceRow } from "../ipc/bindings";
import { type InvoiceList, MAX_RANGE } from "../queries/invoicePages";
import { emptySelection, toggleRow } from "./selection";
import { useRangeSelection } from "./useRangeSelection";

vi.mock("../components/statusMessage");

/** How many rows from the first one are loaded. */
const LOADED = 3;
const row = (index: number): InvoiceRow => ({ ...sample, key: String(index) });

/** The loads that have begun, in their order. */
let loads: { answer: () => void; fail: () => void }[];

beforeEach(() => {
  loads = [];
  vi.mocked(showStatus).mockClear();
});
afterEach(cleanup);

const list = {
  row: (index: number) => (index < LOADED ? row(index) : undefined),
  load: (from: number, to: number) =>
    new Promise<InvoiceRow[]>((resolve, reject) => {
      const rows = Array.from({ length: to - from + 1 }, (_, at) => row(from + at));
      loads.push({ answer: () => resolve(rows), fail: () => reject(new Error("offline")) });
    }),
} as unknown as InvoiceList;

/** A list in which the first row is ticked. */
function open() {
  const { result } = renderHook(
    () => {
      const [selection, setSelection] = useState(() => toggleRow(emptySelection, row(0), 0));
      return { selection, setSelection, extend: useRangeSelection(list, setSelection, "") };
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>{children}</LocalizerProvider>
      ),
    },
  );
  return {
    extendTo: (index: number) => act(() => result.current.extend(result.current.selection, index)),
    clear: () => act(() => result.current.setSelection(emptySelection)),
    answer: (load: number) => act(async () => loads[load]?.answer()),
    fail: (load: number) => act(async () => loads[load]?.fail()),
    selected: () => [...result.current.selection.rows.keys()].join(" "),
  };
}

test("the rows that are loaded are selected at once, and the others when they are", async () => {
  const { extendTo, answer, selected } = open();
  extendTo(5);
  expect(selected()).toBe("0 1 2");
  await answer(0);
  expect(selected()).toBe("0 1 2 3 4 5");
});

test("a range that is made shorter keeps no row that is not loaded any more", async () => {
  const { extendTo, answer, selected } = open();
  extendTo(5);
  await answer(0);
  extendTo(1);
  expect(selected()).toBe("0 1");
});

test("rows that arrive after the range was made shorter are not selected", async () => {
  const { extendTo, answer, selected } = open();
  extendTo(5);
  extendTo(1);
  await answer(0);
  expect(selected()).toBe("0 1");
});

test("rows that arrive after the selection was taken back are not selected", async () => {
  const { extendTo, clear, answer, selected } = open();
  extendTo(5);
  clear();
  await answer(0);
  expect(selected()).toBe("");
});

test("of a range that cannot be read no row is selected, and a message says so", async () => {
  const { extendTo, fail, selected } = open();
  extendTo(5);
  await fail(0);
  expect(selected()).toBe("0");
  expect(showStatus).toHaveBeenCalledOnce();
});

test("a range that is too long changes nothing", () => {
  const { extendTo, selected } = open();
  extendTo(MAX_RANGE);
  expect(selected()).toBe("0");
  expect(loads).toEqual([]);
  expect(showStatus).toHaveBeenCalledOnce();
});
