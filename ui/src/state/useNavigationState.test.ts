/** Tests of the state of navigation. */
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useNavigationState } from "./useNavigationState";

test("a document that a person opens is not replaced by the first hit of the search before", () => {
  const { result } = renderHook(() => useNavigationState("person organization"));
  act(() => result.current.openFirstHitOf("riyadh"));
  expect(result.current.firstHitOf).toBe("riyadh");
  act(() => result.current.openInvoice("a"));
  expect([result.current.firstHitOf, result.current.openInvoiceKey]).toEqual([null, "a"]);
});
