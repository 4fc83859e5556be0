/** Tests of actions that wait until what was chosen is in the form. */
// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useAfterFills } from "./useAfterFills";

test("an action waits for the fill and sees what it has filled in", () => {
  const sent: string[] = [];
  const { result, rerender } = renderHook(
    ({ filling, price }) => useAfterFills(filling, (document: string) => sent.push(`${document} at ${price}`)),
    { initialProps: { filling: true, price: "12.00" } },
  );
  act(() => result.current("INV-7"));
  expect(sent).toEqual([]);
  rerender({ filling: false, price: "9.50" });
  expect(sent).toEqual(["INV-7 at 9.50"]);
  rerender({ filling: false, price: "8.00" });
  expect(sent).toHaveLength(1);
});

test("an action without a fill runs at once", () => {
  const sent: string[] = [];
  const { result } = renderHook(() => useAfterFills(false, (document: string) => sent.push(document)));
  act(() => result.current("INV-7"));
  expect(sent).toEqual(["INV-7"]);
});
