/** Tests of the state of navigation. */
// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { useNavigationState } from "./useNavigationState";

const drafts: InvoiceFilter = { ...noFilter, status: ["draft"] };
const overdue: InvoiceFilter = { ...noFilter, payment: ["overdue"] };

test("a document that a person opens is not replaced by the first hit of the search before", () => {
  const { result } = renderHook(() => useNavigationState());
  act(() => result.current.openFirstHitOf("riyadh"));
  expect(result.current.firstHitOf).toBe("riyadh");
  act(() => result.current.openInvoice("a"));
  expect([result.current.firstHitOf, result.current.openInvoiceKey]).toEqual([null, "a"]);
});

test("the filter of the list stays when the list is left, until it is opened with another one", async () => {
  const { result } = renderHook(() => useNavigationState());
  expect(result.current.listFilter).toBe(noFilter);
  act(() => result.current.setListFilter(drafts));
  await act(async () => result.current.navigate({ name: "editor", draft: "a" }));
  await act(async () => result.current.navigate({ name: "invoices" }));
  expect(result.current.listFilter).toBe(drafts);
  await act(async () => result.current.navigate({ name: "invoices", filter: overdue }));
  expect(result.current.listFilter).toBe(overdue);
});
