/** A fold that a mistake has opened stays open when the mistake is corrected: the field that corrects it has the focus. */
// @vitest-environment jsdom

import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useUnfolded } from "./useUnfolded";

const change = vi.hoisted(() => vi.fn());
vi.mock("../../listSettings/useListSettings", () => {
  const settings = { views: [], columns: [], unfolded: [] };
  return { useListSettings: () => ({ settings, change }) };
});

const held = new Set<string>();

function fold(mistakes: number) {
  return renderHook(
    ({ errors }) => {
      const { isOpen, setOpen } = useUnfolded(held);
      return { open: isOpen("buyer", errors), setOpen };
    },
    { initialProps: { errors: mistakes } },
  );
}

beforeEach(() => change.mockClear());

test("a fold that a mistake has opened stays open after the correction, until somebody closes it", () => {
  const { result, rerender } = fold(0);
  expect(result.current.open).toBe(false);
  rerender({ errors: 1 });
  expect(result.current.open).toBe(true);
  rerender({ errors: 0 });
  expect(result.current.open).toBe(true);
  expect(change, "that is no choice for the next document").not.toHaveBeenCalled();
  act(() => result.current.setOpen("buyer", false));
  expect(result.current.open).toBe(false);
});

test("a fold that somebody has closed is open while it has a mistake, and stays open after it", () => {
  const { result, rerender } = fold(1);
  act(() => result.current.setOpen("buyer", false));
  expect(result.current.open).toBe(true);
  rerender({ errors: 0 });
  expect(result.current.open).toBe(true);
});
