/** Tests of the shortcuts that change how the window is looked at: which of them count while a dialog is open. */

import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OpenDialogMark } from "../components/openDialogs";
import { ViewShortcuts } from "./ViewShortcuts";

const { change } = vi.hoisted(() => ({ change: vi.fn() }));
vi.mock("../i18n/LocalizerProvider", () => ({ useLocalizer: () => ({ language: "en" }) }));
vi.mock("../state/usePreferences", () => ({ usePreferences: () => ({ preferences: { zoom: 100 }, change }) }));

beforeEach(() => {
  change.mockClear();
});
afterEach(cleanup);

function open(hasDialog: boolean) {
  render(
    <>
      <nav>
        <button type="button">Today</button>
      </nav>
      <main>
        <section>
          <button type="button">Filter</button>
        </section>
      </main>
      <ViewShortcuts />
      {hasDialog && <OpenDialogMark />}
    </>,
  );
}

const press = (key: string, modifiers = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...modifiers });
const focused = () => document.activeElement?.textContent;

test("the zoom keys work while a dialog is open, which can be what is too small to read", () => {
  open(true);
  for (const key of ["+", "-", "0"]) press(key, { ctrlKey: true });
  expect(change.mock.calls).toEqual([[{ zoom: 110 }], [{ zoom: 90 }], [{ zoom: 100 }]]);
});

test("F6 moves between the regions of the window in both directions, and leaves an open dialog alone", () => {
  open(false);
  press("F6");
  expect(focused()).toBe("Today");
  press("F6");
  expect(focused()).toBe("Filter");
  press("F6", { shiftKey: true });
  expect(focused()).toBe("Today");
  cleanup();
  open(true);
  press("F6");
  expect(document.activeElement).toBe(document.body);
});
