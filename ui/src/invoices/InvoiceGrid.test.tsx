/** Tests of the focus and of ranges in the list: where a range begins, and what becomes of the focus when the list is another one. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { type ReactElement, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { row as sample } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { InvoiceList } from "../queries/invoicePages";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { defaultPreferences } from "../state/usePreferences";
import { InvoiceGrid } from "./InvoiceGrid";
import { emptySelection, type Selection } from "./selection";

const onRangeSelection = vi.fn<(selection: Selection, index: number) => void>();
const scrollIntoView = vi.fn<Element["scrollIntoView"]>();
const navigation = { listPosition: { current: null } } as unknown as Navigation;

vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);

beforeEach(() => {
  onRangeSelection.mockClear();
  scrollIntoView.mockClear();
  navigation.listPosition.current = null;
  // jsdom lays nothing out, and does not scroll.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(640);
  Element.prototype.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = scrollIntoView;
});
afterEach(cleanup);

const client = createQueryClient();
client.setQueryData(["preferences"], defaultPreferences);

function List({ total, resetKey = "all", loaded = total }: { total: number; resetKey?: string; loaded?: number }) {
  const [selection, setSelection] = useState(emptySelection);
  const list = {
    total,
    sums: [],
    row: (index: number) => (index < loaded ? { ...sample, key: String(index), number: `N-${index}` } : undefined),
    loaded: [],
    outdated: false,
  } as unknown as InvoiceList;
  return (
    <NavigationContext value={navigation}>
      <input aria-label="Search" />
      <InvoiceGrid
        list={list}
        total={total}
        sort={null}
        onSort={() => undefined}
        selection={selection}
        onSelection={setSelection}
        onRangeSelection={onRangeSelection}
        opened={null}
        onOpen={() => undefined}
        detailFollows={false}
        hasAuthority={false}
        columns={[]}
        today="2026-11-26"
        onColumnWidth={() => undefined}
        onRange={() => undefined}
        resetKey={resetKey}
      />
    </NavigationContext>
  );
}

const show = (list: ReactElement) => renderInWorkspace(list, { client });
const rowAt = (index: number) =>
  document.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? expect.fail(`there is a row ${index}`);
const focus = (element: HTMLElement) => act(() => element.focus());
const press = (key: string, part = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...part });
/** Where the last range begins, and where it ends now. */
const range = () => onRangeSelection.mock.calls.map(([selection, index]) => [selection.anchor, index]).at(-1);

test("a list that becomes shorter keeps a row that Tab reaches, and the focus", async () => {
  const { rerender } = show(<List total={10} />);
  focus(rowAt(0));
  press("End");
  expect(document.activeElement).toBe(rowAt(9));
  rerender(<List total={9} />);
  expect(rowAt(8).tabIndex).toBe(0);
  await waitFor(() => expect(document.activeElement).toBe(rowAt(8)));
});

test("a key at the end of the list does not take the focus from the search that follows", () => {
  const { rerender } = show(<List total={10} />);
  focus(rowAt(0));
  press("End");
  press("ArrowDown");
  const search = screen.getByLabelText("Search");
  focus(search);
  rerender(<List total={10} resetKey="another" />);
  expect(rowAt(0).tabIndex).toBe(0);
  expect(document.activeElement).toBe(search);
});

test("a row that a key moves to brings the rows into a low window, in which they can be out of view", () => {
  show(<List total={10} />);
  focus(rowAt(0));
  press("ArrowDown");
  expect(document.activeElement).toBe(rowAt(1));
  expect(scrollIntoView).toHaveBeenCalledExactlyOnceWith({ block: "nearest" });
  expect(scrollIntoView.mock.contexts).toEqual([screen.getByTestId("rows")]);
});

test("Shift and an arrow begin a range at the row that has the focus, and not at the one that was ticked long before", () => {
  show(<List total={10} />);
  focus(rowAt(1));
  press(" ");
  press("ArrowDown", { shiftKey: true });
  expect(range(), "it goes on from the ticked row").toEqual([1, 2]);
  focus(rowAt(6));
  press("ArrowDown", { shiftKey: true });
  expect(range()).toEqual([6, 7]);
});

test("a click with Shift selects from the row that was clicked before", () => {
  show(<List total={10} />);
  fireEvent.click(rowAt(3));
  fireEvent.click(rowAt(6), { shiftKey: true });
  expect(range()).toEqual([3, 6]);
});

test("Space on a row that is not loaded yet does not scroll the list away from it", () => {
  show(<List total={10} loaded={5} />);
  focus(rowAt(7));
  // The event is cancelled.
  expect(press(" ")).toBe(false);
  expect(rowAt(7).getAttribute("aria-selected")).toBe("false");
});

test("all is selected by the letter A, and not by the key in its place on another keyboard", () => {
  show(<List total={10} />);
  focus(rowAt(0));
  press("q", { code: "KeyA", ctrlKey: true });
  expect(rowAt(0).getAttribute("aria-selected")).toBe("false");
  press("a", { code: "KeyQ", ctrlKey: true });
  expect(rowAt(0).getAttribute("aria-selected")).toBe("true");
});

test("a list that was left is shown again where it was, and another one at its top", () => {
  show(<List total={100} />);
  focus(rowAt(3));
  cleanup();
  expect(navigation.listPosition.current).toEqual({ of: "all", active: 3, rowsAbove: 0 });
  navigation.listPosition.current = { of: "all", active: 53, rowsAbove: 50 };
  show(<List total={100} />);
  expect(rowAt(53).tabIndex).toBe(0);
  expect(document.querySelector('[data-index="0"]'), "its top is out of view").toBeNull();
  cleanup();
  show(<List total={100} resetKey="another" />);
  expect(rowAt(0).tabIndex).toBe(0);
});

test("of a list whose active row was scrolled out of view, the place is a row that is in view", () => {
  navigation.listPosition.current = { of: "all", active: 3, rowsAbove: 50 };
  show(<List total={100} />);
  expect(navigation.listPosition.current).toEqual({ of: "all", active: 50, rowsAbove: 50 });
});
