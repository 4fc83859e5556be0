/** The button of the header does what the key of the paper does, and says whether the paper stands beside the form. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { content } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { PaperBesideForm, PaperButton } from "./PaperBesideForm";

vi.mock("../components/Modal");
vi.mock("./DraftPaper", () => ({ DraftPaper: () => <p>The pages</p> }));

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
      <PaperBesideForm draft={{ key: "k", changes: null, content, state: "editing" }} />
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
