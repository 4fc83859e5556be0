/** Tests of the state of navigation. */
// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { type InvoiceFilter, noFilter } from "../queries/invoicePages";
import { forgetPlace } from "./firstView";
import { useNavigationState } from "./useNavigationState";

const drafts: InvoiceFilter = { ...noFilter, status: ["draft"] };
const overdue: InvoiceFilter = { ...noFilter, payment: ["overdue"] };

beforeEach(forgetPlace);

test("a document that a person opens is not replaced by the first hit of the search before", () => {
  const { result } = renderHook(() => useNavigationState("person organization"));
  act(() => result.current.openFirstHitOf("riyadh"));
  expect(result.current.firstHitOf).toBe("riyadh");
  act(() => result.current.openInvoice("a"));
  expect([result.current.firstHitOf, result.current.openInvoiceKey]).toEqual([null, "a"]);
});

test("the filter of the list stays when the list is left, until it is opened with another one", async () => {
  const { result, unmount } = renderHook(() => useNavigationState("person organization"));
  expect(result.current.listFilter).toBe(noFilter);
  act(() => result.current.setListFilter(drafts));
  await act(async () => result.current.navigate({ name: "editor", draft: "a" }));
  await act(async () => result.current.navigate({ name: "invoices" }));
  expect(result.current.listFilter).toBe(drafts);
  await act(async () => result.current.navigate({ name: "invoices", filter: overdue }));
  expect(result.current.listFilter).toBe(overdue);
  unmount();
  const again = renderHook(() => useNavigationState("person organization")).result;
  expect(again.current.listFilter, "after signing in again").toBe(overdue);
  const other = renderHook(() => useNavigationState("person other organization")).result;
  expect(other.current.listFilter).toBe(noFilter);
});

test("after signing in again the list is where it was, with its search, and not for another person", () => {
  const { result, unmount } = renderHook(() => useNavigationState("person organization"));
  const position = { of: "all", active: 7, rowsAbove: 5 };
  act(() => result.current.setSearch("riyadh"));
  // The list notes it while it is scrolled, without a render.
  result.current.listPosition.current = position;
  unmount();
  const again = renderHook(() => useNavigationState("person organization")).result;
  expect([again.current.search, again.current.listPosition.current]).toEqual(["riyadh", position]);
  const other = renderHook(() => useNavigationState("other organization")).result;
  expect([other.current.search, other.current.listPosition.current]).toEqual(["", null]);
});
