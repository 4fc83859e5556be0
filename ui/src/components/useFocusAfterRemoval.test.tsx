/** Tests of where the focus goes when its element is removed. */

import { act, cleanup, render, waitFor } from "@testing-library/react";
import { useRef, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { useFocusAfterRemoval } from "./useFocusAfterRemoval";

afterEach(cleanup);

function Banners({ autoFocus = false }: { autoFocus?: boolean }) {
  const area = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(true);
  useFocusAfterRemoval(area, () => document.querySelector("main"));
  return (
    <>
      <div ref={area}>
        {shown && (
          <button type="button" autoFocus={autoFocus} onClick={() => setShown(false)}>
            Close
          </button>
        )}
      </div>
      <main tabIndex={-1} />
      <input />
    </>
  );
}

test("the focus goes on when the button that had it is removed", async () => {
  const { getByRole } = render(<Banners />);
  const button = getByRole("button");
  button.focus();
  act(() => button.click());
  await waitFor(() => expect(document.activeElement).toBe(getByRole("main")));
});

test("the focus stays where somebody has moved it", async () => {
  const { getByRole, queryByRole } = render(<Banners />);
  const button = getByRole("button");
  button.focus();
  getByRole("textbox").focus();
  act(() => button.click());
  await waitFor(() => expect(queryByRole("button")).toBeNull());
  expect(document.activeElement).toBe(getByRole("textbox"));
});

test("the focus goes on from a button that had it from the beginning", async () => {
  const { getByRole } = render(<Banners autoFocus />);
  const button = getByRole("button");
  expect(document.activeElement).toBe(button);
  act(() => button.click());
  await waitFor(() => expect(document.activeElement).toBe(getByRole("main")));
});
