/** Tests of which rows are rendered and where: scrolled, in a window of another size, with another height, and where they were left. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Activity, useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "../state/queryClient";
import { defaultPreferences } from "../state/usePreferences";
import { useScaledRows } from "./useScaledRows";

/** What is called when the size of the list has changed. */
let onResize: () => void;
vi.stubGlobal(
  "ResizeObserver",
  class {
    constructor(callback: () => void) {
      onResize = callback;
    }
    observe() {}
    disconnect() {}
  },
);

beforeEach(() => {
  // jsdom lays nothing out, and does not scroll.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(640);
  Element.prototype.scrollTo = () => undefined;
});
afterEach(cleanup);

function Rows({ initialRowsAbove = 0, count = 100, pinned = 0 }: { initialRowsAbove?: number; count?: number; pinned?: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, height, first, last, reveal, rowsAbove } = useScaledRows(scroller, count, pinned, initialRowsAbove);
  return (
    <div ref={scroller} data-testid="rows" data-range={`${first} to ${last}`} data-above={rowsAbove()}>
      <output>{`${rows[0]?.top} ${rows[1]?.top} ${rows[2]?.top} of ${height}`}</output>
      <ol>
        {rows.map(({ index, top }) => (
          <li key={index} value={index}>{`${index} at ${top}`}</li>
        ))}
      </ol>
      <button type="button" onClick={() => reveal(70)}>
        Reveal
      </button>
    </div>
  );
}

function show(initialRowsAbove: number, options: { count?: number; pinned?: number } = {}) {
  const client = createQueryClient();
  client.setQueryData(["preferences"], defaultPreferences);
  render(
    <QueryClientProvider client={client}>
      <Rows initialRowsAbove={initialRowsAbove} {...options} />
    </QueryClientProvider>,
  );
  return client;
}

const list = () => screen.getByTestId("rows");
const range = () => list().dataset["range"];
const rendered = () => screen.getAllByRole<HTMLLIElement>("listitem").map(({ value }) => value);

/** Scrolls as the web view does, which then tells it. */
function scroll(top: number) {
  list().scrollTop = top;
  fireEvent.scroll(list());
}

test("rows of another density stand below each other, within the height of the list", async () => {
  const client = show(0);
  expect(screen.getByRole("status").textContent).toBe("0 32 64 of 3200");
  await act(async () => client.setQueryData(["preferences"], { ...defaultPreferences, density: "compact" }));
  expect(screen.getByRole("status").textContent).toBe("0 28 56 of 2800");
});

test("rows that begin scrolled are those of that place, and the row that keeps the focus", () => {
  show(50);
  // Six rows before the first in view are rendered too.
  expect(screen.getByRole("status").textContent).toBe("0 1408 1440 of 3200");
});

test.each([
  ["where they were", { count: 100, density: "comfortable", top: 1600 }],
  ["the end of a list that is shorter by now", { count: 60, density: "comfortable", top: 1280 }],
  ["the same row of another density", { count: 100, density: "compact", top: 1400 }],
] as const)("rows that were hidden, as by another sign-in, are scrolled to %s", (_, { count, density, top }) => {
  const scrollTo = vi.fn<(options: ScrollToOptions) => void>();
  Element.prototype.scrollTo = scrollTo as Element["scrollTo"];
  const client = createQueryClient();
  client.setQueryData(["preferences"], defaultPreferences);
  const rows = (mode: "visible" | "hidden", shown = 100) => (
    <QueryClientProvider client={client}>
      <Activity mode={mode}>
        <Rows initialRowsAbove={50} count={shown} />
      </Activity>
    </QueryClientProvider>
  );
  const { rerender } = render(rows("visible"));
  rerender(rows("hidden"));
  client.setQueryData(["preferences"], { ...defaultPreferences, density });
  scrollTo.mockClear();
  rerender(rows("visible", count));
  expect(scrollTo.mock.lastCall).toEqual([{ top }]);
});

test("the rows of a place that is scrolled to are rendered within its event, so that no frame shows it empty", () => {
  show(0);
  expect(range()).toBe("0 to 19");
  let atOnce: string | undefined;
  act(() => {
    list().scrollTop = 1000;
    list().dispatchEvent(new Event("scroll"));
    atOnce = range();
  });
  expect(atOnce).toBe("31 to 51");
});

test("six rows before and after those in view are rendered, and the one that keeps the focus in its order", () => {
  show(0, { pinned: 90 });
  expect(rendered()).toEqual([...Array.from({ length: 26 }, (_, index) => index), 90]);
  scroll(3200);
  expect(range(), "the end of the list").toBe("80 to 99");
  expect(rendered()).toEqual(Array.from({ length: 26 }, (_, index) => 74 + index));
});

test("a window that becomes higher shows more rows", () => {
  show(0);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(960);
  act(() => onResize());
  expect(range()).toBe("0 to 29");
});

test("a row is brought into view by the shortest way", () => {
  const scrollTo = vi.fn<(options: ScrollToOptions) => void>();
  Element.prototype.scrollTo = scrollTo as Element["scrollTo"];
  show(0);
  fireEvent.click(screen.getByRole("button", { name: "Reveal" }));
  expect(scrollTo.mock.lastCall).toEqual([{ top: 1632 }]);
  expect(range()).toBe("51 to 70");
});

test("a million rows are scrolled by the pixels of the wheel, and at rest the scroll bar stands where that is in the list", () => {
  vi.useFakeTimers();
  try {
    const scrollTo = vi.fn<(options: ScrollToOptions) => void>();
    Element.prototype.scrollTo = scrollTo as Element["scrollTo"];
    show(0, { count: 1_000_000 });
    scroll(100);
    expect(range()).toBe("3 to 23");
    expect(screen.getAllByRole("listitem")[0]?.textContent).toBe("0 at 0");
    expect(scrollTo).not.toHaveBeenCalled();
    act(() => vi.advanceTimersByTime(150));
    expect(scrollTo.mock.lastCall).toEqual([{ top: 25 }]);
    expect(range(), "the same rows, above").toBe("3 to 23");
    expect(screen.getAllByRole("listitem")[3]?.textContent).toBe("3 at 21");
    scroll(8_000_000 - 640);
    expect(range()).toBe("999980 to 999999");
    expect(screen.getAllByRole("listitem").at(-1)?.textContent).toBe(`999999 at ${8_000_000 - 32}`);
  } finally {
    vi.useRealTimers();
  }
});

test("at rest the place within a row is known, where the list is shown again", () => {
  vi.useFakeTimers();
  try {
    show(0);
    scroll(40);
    scroll(56);
    act(() => vi.advanceTimersByTime(150));
    expect(list().dataset["above"]).toBe("1.75");
  } finally {
    vi.useRealTimers();
  }
});
