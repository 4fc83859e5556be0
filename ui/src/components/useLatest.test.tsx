/** Tests of what a part of the window does at its end, and of what it knows after it. */

import { render } from "@testing-library/react";
import { Activity, type RefObject, useEffect } from "react";
import { expect, test, vi } from "vitest";
import { useIsShown } from "./useIsShown";
import { useUnmount } from "./useLatest";

const onEnd = vi.fn();
const shown: { part?: RefObject<boolean> } = {};

function Part() {
  useUnmount(onEnd);
  const isShown = useIsShown();
  useEffect(() => {
    shown.part = isShown;
  });
  return null;
}

const part = (mode: "visible" | "hidden") => (
  <Activity mode={mode}>
    <Part />
  </Activity>
);

test.each(["visible", "hidden"] as const)(
  "a part ends once when it is removed while it is %s, and not when it is hidden",
  (last) => {
    onEnd.mockClear();
    const { rerender, unmount } = render(part("visible"));
    for (const mode of ["hidden", "visible", last] as const) rerender(part(mode));
    expect(onEnd).not.toHaveBeenCalled();
    // What a write that began before has done is told in its form, which is shown again.
    expect(shown.part?.current).toBe(true);
    unmount();
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(shown.part?.current).toBe(false);
  },
);
