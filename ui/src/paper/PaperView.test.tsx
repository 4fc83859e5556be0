/** The buttons of the zoom of the paper keep the focus at its limits. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { createQueryClient } from "../state/queryClient";
import { defaultPreferences } from "../state/usePreferences";
import { PaperView } from "./PaperView";
import { choosePaperZoom } from "./paperChoices";

// jsdom has none, and lists use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

beforeEach(() => {
  choosePaperZoom(100);
  const client = createQueryClient();
  client.setQueryData(["preferences"], defaultPreferences);
  renderInWorkspace(
    <PaperView
      printed={{ pages: null, error: null, retry: () => undefined }}
      all={() => new Promise(() => undefined)}
      title="Invoice"
    />,
    { client },
  );
});
afterEach(cleanup);

test.each([
  ["Larger", 4, "300"],
  ["Smaller", 1, "100"],
])("%s does nothing at the limit, where it can still be pressed", (name, times, percent) => {
  const button = screen.getByRole<HTMLButtonElement>("button", { name });
  act(() => button.focus());
  for (let press = 0; press < times; press += 1) fireEvent.click(button);
  expect(screen.getByText(new RegExp(`^${percent}`))).toBeTruthy();
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  expect(document.activeElement).toBe(button);
});
