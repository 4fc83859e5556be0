/** Tests of secrets that are shown once: no single key makes them vanish but the button that says so. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import { SecretDialog } from "./SecretDialog";

vi.mock("../components/announce");
vi.mock("../components/Modal", async () => ({
  Modal: (await import("../components/__mocks__/ModalWithEscape")).ModalWithEscape,
}));

const onClose = vi.fn();
beforeEach(() => {
  onClose.mockClear();
  const values = [
    { label: "Client id", value: "desk" },
    { label: "Client secret", value: "s3cret" },
  ];
  renderInWorkspace(<SecretDialog title="Keep this now" hint="" values={values} onClose={onClose} />);
});
afterEach(cleanup);

test("the focus is on copying the first value, so that Enter ends nothing", async () => {
  await waitFor(() => expect(plainText(document.activeElement?.getAttribute("aria-label") ?? "")).toBe("Copy: Client id"));
});

test("Escape asks before it closes the dialog, which is announced", async () => {
  const escape = screen.getByRole("button", { name: "Escape" });
  fireEvent.click(escape);
  expect(onClose).not.toHaveBeenCalled();
  const question = "Have you kept it? Nobody can see it again.";
  expect(screen.getByText(question)).toBeDefined();
  await waitFor(() => expect(announce).toHaveBeenCalledWith(question), untilAnnounced);
  fireEvent.click(escape);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("who says that it is kept is not asked", () => {
  fireEvent.click(screen.getByRole("button", { name: "I have kept it" }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
