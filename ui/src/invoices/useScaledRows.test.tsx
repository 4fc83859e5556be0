/** Tests of the places of the rows when their height is another one. */

import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { useRef } from "react";
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

function Rows() {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, height } = useScaledRows(scroller, 100, 0);
  return (
    <div ref={scroller}>
      <output>{`${rows[0]?.top} ${rows[1]?.top} ${rows[2]?.top} of ${height}`}</output>
    </div>
  );
}

test("rows of another density stand below each other, within the height of the list", async () => {
  const client = createQueryClient();
  client.setQueryData(["preferences"], defaultPreferences);
  render(
    <QueryClientProvider client={client}>
      <Rows />
    </QueryClientProvider>,
  );
  expect(screen.getByRole("status").textContent).toBe("0 32 64 of 3200");
  await act(async () => client.setQueryData(["preferences"], { ...defaultPreferences, density: "compact" }));
  expect(screen.getByRole("status").textContent).toBe("0 28 56 of 2800");
});
