/** When the search field asks the service, and which reading of a text the list shows. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { runWithBinding } from "../gallery/renderInWorkspace";
import type { InvoicePage, InvoiceQuery } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { noFilter } from "../queries/invoicePages";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { useSearchFilter } from "./useSearchFilter";

vi.mock("../state/withBinding");

/** What was asked and is not answered yet, in its order. */
let asked: { query: InvoiceQuery; answer: (total: number) => void }[];

const page = (total: number): InvoicePage => ({ rows: [], total, sums: [], hasAuthority: false, asOf: "", offline: false });

beforeEach(() => {
  asked = [];
  vi.spyOn(commands, "listInvoices").mockImplementation(
    (_, query) =>
      new Promise((resolve) => {
        asked.push({ query, answer: (total) => resolve({ status: "ok", data: page(total) }) });
      }),
  );
  runWithBinding();
});

function openSearch(chosen = noFilter) {
  const client = createQueryClient();
  let search = "";
  const { result, rerender } = renderHook(() => useSearchFilter("o", chosen), {
    wrapper: ({ children }) =>
      createElement(
        QueryClientProvider,
        { client },
        createElement(NavigationContext, { value: { search } as unknown as Navigation }, children),
      ),
  });
  const type = (text: string) => {
    search = text;
    rerender();
  };
  return { result, type };
}

/** Answers the first request that waits, with so many documents. */
const answer = (total: number) => act(async () => asked.shift()?.answer(total));

test("a text is searched at once, and the latest one after the answer to the one before", async () => {
  const { result, type } = openSearch();
  type("N");
  await waitFor(() => expect(asked.map(({ query }) => query.buyer)).toEqual(["N"]));
  type("Na");
  type("Nak");
  expect(asked).toHaveLength(1);
  expect(result.current.current).toBe(false);
  await answer(4);
  await waitFor(() => expect(asked.map(({ query }) => query.buyer)).toEqual(["Nak"]));
  await answer(1);
  await waitFor(() => expect(result.current.current).toBe(true));
  expect(result.current.filter.buyer).toBe("Nak");
});

test("a text without a document of that number is searched in the buyers", async () => {
  const { result, type } = openSearch();
  type("3M");
  await waitFor(() =>
    expect(asked.map(({ query }) => [query.number, query.buyer])).toEqual([
      ["3M", ""],
      ["", "3M"],
    ]),
  );
  await answer(0);
  await answer(2);
  await waitFor(() => expect(result.current.filter).toMatchObject({ number: "", buyer: "3M" }));
  expect(result.current.reading).toBeNull();
});

test("the other readings that find documents are offered", async () => {
  const { result, type } = openSearch();
  type("123456789");
  await waitFor(() => expect(asked).toHaveLength(3));
  await answer(0);
  await answer(3);
  await answer(5);
  await waitFor(() => expect(result.current.filter.number).toBe("123456789"));
  expect(result.current.reading).toMatchObject({ shown: "number", others: [{ kind: "buyer", count: 5 }] });
  act(() => result.current.reading?.others[0]?.show());
  expect(result.current.filter).toMatchObject({ number: "", buyer: "123456789" });
});

test("a figure that is searched in a list filtered by amounts leaves that filter as it is", async () => {
  const { result, type } = openSearch({ ...noFilter, grossFrom: "1000" });
  type("150");
  await waitFor(() =>
    expect(asked.map(({ query: { number, buyer, grossFrom, grossTo } }) => [number, buyer, grossFrom, grossTo])).toEqual([
      ["150", "", "1000", ""],
      ["", "150", "1000", ""],
    ]),
  );
  await answer(2);
  await answer(0);
  await waitFor(() => expect(result.current.filter).toMatchObject({ number: "150", grossFrom: "1000", grossTo: "" }));
});
