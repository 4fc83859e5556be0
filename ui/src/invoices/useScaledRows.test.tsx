/** Tests of the places of the rows when their height is another one, and when they begin scrolled. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { Activity, useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "../state/queryClient";
import { defaultPreferences } from "../state/usePreferences";
import { useScaledRows } from "./useScaledRows";

beforeEach(() => {
  // jsdom lays nothing out, and does not scroll.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(640);
  Element.prototype.scrollTo = () => undefined;
});
afterEach(cleanup);

function Rows({ initialRowsAbove = 0 }: { initialRowsAbove?: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, height } = useScaledRows(scroller, 100, 0, initialRowsAbove);
  return (
    <div ref={scroller}>
      <output>{`${rows[0]?.top} ${rows[1]?.top} ${rows[2]?.top} of ${height}`}</output>
    </div>
  );
}

function show(initialRowsAbove: number) {
  const client = createQueryClient();
  client.setQueryData(["preferences"], defaultPreferences);
  render(
    <QueryClientProvider client={client}>
      <Rows initialRowsAbove={initialRowsAbove} />
    </QueryClientProvider>,
  );
  return client;
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

test("rows that were hidden, as by another sign-in, are scrolled to where they were", () => {
  const scrollTo = vi.fn<(options: ScrollToOptions) => void>();
  Element.prototype.scrollTo = scrollTo as Element["scrollTo"];
  const client = createQueryClient();
  client.setQueryData(["preferences"], defaultPreferences);
  const rows = (mode: "visible" | "hidden") => (
    <QueryClientProvider client={client}>
      <Activity mode={mode}>
        <Rows initialRowsAbove={50} />
      </Activity>
    </QueryClientProvider>
  );
  const { rerender } = render(rows("visible"));
  rerender(rows("hidden"));
  scrollTo.mockClear();
  rerender(rows("visible"));
  expect(scrollTo.mock.lastCall).toEqual([{ top: 1600 }]);
});
