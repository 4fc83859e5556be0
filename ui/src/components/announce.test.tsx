/** An announcement is heard while a dialog is open: React Aria hides what is outside of the dialog from screen readers. */

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { announce, prepareAnnouncements } from "./announce";
import { Modal } from "./Modal";

// jsdom has none, and an open dialog of React Aria asks it.
vi.stubGlobal("CSS", { escape: (text: string) => text });
afterEach(cleanup);

const isHidden = (text: string) => screen.getByText(text).closest("[aria-hidden=true], [inert]") !== null;

test("the region of announcements is not hidden behind a dialog", async () => {
  prepareAnnouncements();
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <p>Behind it</p>
      <Modal title="Dialog" isOpen onClose={() => undefined}>
        <button type="button">Record</button>
      </Modal>
    </LocalizerProvider>,
  );
  await screen.findByRole("dialog");
  announce("The payment was recorded");
  expect(isHidden("Behind it")).toBe(true);
  expect(isHidden("The payment was recorded")).toBe(false);
});
