/** Tests of the event that the last dialog has closed. */
import { render, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { isDialogOpen, OpenDialogMark, useDialogOpen } from "./openDialogs";

test("the end of the last dialog is an event", () => {
  const { result } = renderHook(useDialogOpen);
  const seen = () => [result.current, isDialogOpen()];
  expect(seen()).toEqual([false, false]);
  const first = render(<OpenDialogMark />);
  const second = render(<OpenDialogMark />);
  first.unmount();
  expect(seen()).toEqual([true, true]);
  second.unmount();
  expect(seen()).toEqual([false, false]);
});
