/**
 * An announcement is heard while a dialog is open, where React Aria hides what is outside of the dialog from screen readers; beside another
 * one; and not found on the page later.
 */

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { announce, prepareAnnouncements } from "./announce";
import { Modal } from "./Modal";

// jsdom has none, and an open dialog of React Aria asks it.
vi.stubGlobal("CSS", { escape: (text: string) => text });
afterEach(cleanup);

const isHidden = (text: string) => screen.getByText(text).closest("[aria-hidden=true], [inert]") !== null;

test("an announcement that is made again is a change, and is gone after a while", () => {
  prepareAnnouncements();
  vi.useFakeTimers();
  const region = document.querySelector("[data-live-announcer]") ?? expect.fail("there is a region");
  announce("Line removed");
  vi.advanceTimersByTime(1000);
  const first = region.textContent;
  announce("Line removed");
  vi.advanceTimersByTime(1000);
  expect(region.textContent).not.toBe(first);
  expect(region.textContent?.trim()).toBe("Line removed");
  vi.advanceTimersByTime(10_000);
  expect(region.textContent).toBe("");
  vi.useRealTimers();
});

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
  await screen.findByText("The payment was recorded");
  expect(isHidden("Behind it")).toBe(true);
  expect(isHidden("The payment was recorded")).toBe(false);
});

test("announcements of one moment are all made, each once", async () => {
  prepareAnnouncements();
  announce("No connection.");
  announce("2 results");
  announce("No connection.");
  expect(await screen.findByText(/results/)).toHaveProperty("textContent", "No connection. 2 results");
});
