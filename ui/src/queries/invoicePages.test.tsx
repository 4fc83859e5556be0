/** Tests of the list in pages: what a range and a refresh read of pages that are not shown, and how many of them are held. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { row } from "../gallery/fixtures";
import { runWithBinding } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { createQueryClient } from "../state/queryClient";
import { invalidateDocuments } from "./documentWrites";
import { invoicesKey, MAX_RANGE, noFilter, PAGE_SIZE, pageQuery, useInvoiceList } from "./invoicePages";

vi.mock("../state/withBinding");

/** Part of the key of each row that the service has now. */
let version: string;
/** The first rows of the pages that were asked for. */
let asked: number[];

beforeEach(() => {
  version = "old";
  asked = [];
  vi.spyOn(commands, "listInvoices").mockImplementation(async (_, { skip, pageSize }) => {
    asked.push(skip);
    const rows = Array.from({ length: pageSize }, (__, at) => ({ ...row, key: `${version} ${skip + at}` }));
    return { status: "ok", data: { rows, total: 1_000, sums: [], hasAuthority: false, asOf: "", offline: false } };
  });
  runWithBinding();
});
afterEach(cleanup);

/** A list at its first page, or at the row that is named, whose second page was shown before. */
async function open(first = 0) {
  const client = createQueryClient();
  await client.prefetchQuery(pageQuery("1", noFilter, 1));
  const { result, rerender } = renderHook(() => useInvoiceList("1", noFilter, first, first + 20), {
    wrapper: ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children),
  });
  await waitFor(() => expect(result.current.total).toBe(1_000));
  await waitFor(() => expect(result.current.row(first)).toBeDefined());
  asked = [];
  return { client, result, rerender };
}

test("a range has the rows of now, also of a page that a write has made outdated", async () => {
  const { client, result } = await open();
  version = "new";
  await act(async () => invalidateDocuments(client, "1"));
  const rows = await result.current.load(PAGE_SIZE, PAGE_SIZE + 1);
  expect(rows.map(({ key }) => key)).toEqual(["new 100", "new 101"]);
});

test("a range asks for no page that is current", async () => {
  const { result } = await open();
  const rows = await result.current.load(PAGE_SIZE, PAGE_SIZE);
  expect(rows.map(({ key }) => key)).toEqual(["old 100"]);
  expect(asked).toEqual([]);
});

test("a refresh reads the page that is shown, and another one when it is shown again", async () => {
  const { client, result } = await open();
  version = "new";
  await act(async () => result.current.refresh());
  await waitFor(() => expect(result.current.row(0)?.key).toBe("new 0"));
  expect(asked).toEqual([0]);
  expect(client.getQueryState(pageQuery("1", noFilter, 1).queryKey)?.isInvalidated).toBe(true);
});

test("the loaded rows are the same array until a page is read again", async () => {
  const { result, rerender } = await open(PAGE_SIZE);
  const { loaded } = result.current;
  rerender();
  expect(result.current.loaded).toBe(loaded);
  version = "new";
  await act(async () => result.current.refresh());
  await waitFor(() => expect(result.current.row(PAGE_SIZE)?.key).toBe("new 100"));
  expect(result.current.loaded).not.toBe(loaded);
});

test("of the pages that nothing shows the latest are held, as many as the longest range has", async () => {
  const { client, result } = await open();
  const total = 400 * PAGE_SIZE;
  await result.current.load(0, total - 1);
  for (let search = 0; search < 30; search++) {
    await client.fetchQuery(pageQuery("1", { ...noFilter, buyer: `buyer ${search}` }, 0));
  }
  const held = client.getQueryCache().findAll({ queryKey: invoicesKey("1") });
  // Beside them the page that is shown, and the one that was read last.
  expect(held.length).toBeLessThanOrEqual(MAX_RANGE / PAGE_SIZE + 2);
  expect(result.current.row(0)?.key).toBe("old 0");
  asked = [];
  await result.current.load(total - 50 * PAGE_SIZE, total - 1);
  expect(asked, "on the way back nothing is read again").toEqual([]);
});

test("another end of the longest range reads none of its pages again", async () => {
  const { result } = await open();
  const from = PAGE_SIZE / 2;
  await result.current.load(from, from + MAX_RANGE - 1);
  asked = [];
  await result.current.load(from, from + MAX_RANGE - 2);
  expect(asked).toEqual([]);
});
