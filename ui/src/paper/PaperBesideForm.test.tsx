/** The button of the header does what the key of the paper does, and the paper leads to fields of the form. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { registerCommand } from "../components/commands";
import { content } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import type { DraftPaperProps } from "./DraftPaper";
import { PaperBesideForm, PaperButton } from "./PaperBesideForm";

vi.mock("../components/Modal");
vi.mock("./DraftPaper", () => ({
  DraftPaper: ({ onGo }: DraftPaperProps) => (
    <button type="button" onClick={() => onGo("lines[0].description.ar")}>
      The pages
    </button>
  ),
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(isWide: boolean): HTMLElement {
  vi.spyOn(commands, "preferences").mockResolvedValue({ status: "ok", data: {} });
  vi.spyOn(commands, "savePreferences").mockResolvedValue({ status: "ok", data: null });
  vi.stubGlobal("matchMedia", () => ({ matches: isWide, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  renderInWorkspace(
    <>
      <PaperButton />
      <div data-field="lines[0].description.ar">
        <input aria-label="Arabic" />
      </div>
      <PaperBesideForm draft={{ key: "k", changes: null, content, state: "editing" }} country="SA" />
    </>,
  );
  return screen.getByRole("button", { name: "Printed document" });
}

test("in a wide window it hides the pane and shows it again", async () => {
  const button = show(true);
  await screen.findByText("The pages");
  expect(button.getAttribute("aria-pressed")).toBe("true");
  expect(button.parentElement?.title).toContain("P)");
  fireEvent.click(button);
  await waitFor(() => expect(button.getAttribute("aria-pressed")).toBe("false"));
  expect(screen.queryByText("The pages")).toBeNull();
  fireEvent.click(button);
  await screen.findByText("The pages");
});

test("in another window it opens a dialog", async () => {
  const button = show(false);
  expect([button.getAttribute("aria-pressed"), button.getAttribute("aria-haspopup")]).toEqual([null, "dialog"]);
  act(() => button.click());
  await screen.findByText("The pages");
});

test.each([
  ["a wide window", true],
  ["another window", false],
])("in %s it leads to an Arabic description, in lines with both languages", async (_, isWide) => {
  Element.prototype.scrollIntoView = () => undefined;
  const showBoth = vi.fn();
  const unregister = registerCommand({ id: "twoLanguages", label: "two-languages", run: showBoth });
  const button = show(isWide);
  if (!isWide) act(() => button.click());
  fireEvent.click(await screen.findByText("The pages"));
  expect(showBoth).toHaveBeenCalledOnce();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Arabic")));
  expect(screen.queryByText("The pages") !== null).toBe(isWide);
  unregister();
});
