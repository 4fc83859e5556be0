/** Tests of the focus of a view when a dialog in front of it has closed. */
import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { keepFocus } from "./keepFocus";
import { OpenDialogMark } from "./openDialogs";
import { useTakeFocus } from "./useTakeFocus";

afterEach(cleanup);

function View({ ready }: { ready: boolean }) {
  useTakeFocus(ready, () => document.querySelector<HTMLElement>("[data-row]"));
  return ready ? (
    <button type="button" data-row="">
      INV-1
    </button>
  ) : null;
}

function Window({ dialog, ready }: { dialog: boolean; ready: boolean }) {
  return (
    <>
      <main tabIndex={-1}>
        <View ready={ready} />
      </main>
      {dialog && (
        <div role="dialog">
          <OpenDialogMark />
          <input aria-label="search" />
        </div>
      )}
    </>
  );
}

const focusedName = () => document.activeElement?.tagName;

test("a view that becomes ready behind a dialog takes the focus when the dialog closes", async () => {
  const { getByRole, rerender } = render(<Window dialog ready={false} />);
  getByRole("textbox").focus();
  rerender(<Window dialog ready />);
  expect(focusedName()).toBe("INPUT");
  rerender(<Window dialog={false} ready />);
  await waitFor(() => expect(focusedName()).toBe("BUTTON"));
});

test("a dialog that closes before the view is ready leaves the focus on main, and the view takes it from there", async () => {
  const { getByRole, rerender } = render(<Window dialog ready={false} />);
  getByRole("textbox").focus();
  rerender(<Window dialog={false} ready={false} />);
  await waitFor(() => expect(focusedName()).toBe("MAIN"));
  rerender(<Window dialog={false} ready />);
  await waitFor(() => expect(focusedName()).toBe("BUTTON"));
});

test("an element that has the focus keeps it", async () => {
  const { getByRole, rerender } = render(
    <>
      <input />
      <Window dialog={false} ready={false} />
    </>,
  );
  getByRole("textbox").focus();
  rerender(
    <>
      <input />
      <Window dialog={false} ready />
    </>,
  );
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(focusedName()).toBe("INPUT");
});

test("a dialog that closes while the focus is still looked after hands it back", async () => {
  const before = document.body.appendChild(document.createElement("button"));
  const { getByRole, rerender } = render(<Window dialog ready />);
  getByRole("textbox").focus();
  rerender(<Window dialog={false} ready />);
  // As the dialog does it.
  await new Promise<void>((resolve) =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) before.focus();
      resolve();
    }),
  );
  expect(document.activeElement).toBe(before);
  before.remove();
});

test("what an action looks for comes before the view, also if it is not there at once", async () => {
  const { getByRole, rerender } = render(<Window dialog ready />);
  getByRole("textbox").focus();
  rerender(<Window dialog={false} ready />);
  keepFocus(() => document.querySelector<HTMLElement>("[data-result]"));
  await waitFor(() => expect(focusedName()).toBe("MAIN"));
  const result = document.body.appendChild(document.createElement("textarea"));
  result.dataset["result"] = "";
  await waitFor(() => expect(focusedName()).toBe("TEXTAREA"));
  result.remove();
});
