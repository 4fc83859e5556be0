/** A status message is shown until it is closed or has been there for a while. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hideStatus, showStatus } from "../components/statusMessage";
import { organizations } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { type Navigation, NavigationContext } from "../state/navigation";
import { StatusMessage } from "./StatusMessage";

const [own = expect.fail("there are sample organizations"), other = expect.fail("there are two")] = organizations;

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  act(hideStatus);
  cleanup();
  vi.useRealTimers();
});

/** The window of the first organization, with the document that is open beside the list. */
function show() {
  const navigation = { navigate: vi.fn(), openInvoice: vi.fn() };
  renderInWorkspace(
    <NavigationContext value={navigation as unknown as Navigation}>
      <aside data-detail="" tabIndex={-1} />
      <StatusMessage />
    </NavigationContext>,
  );
  return navigation;
}

const shown = () => document.querySelector("[data-status]")?.textContent ?? null;

test("the last message is shown for a while, and a new one for as long again", () => {
  show();
  expect(shown()).toBeNull();
  act(() => showStatus("one"));
  act(() => vi.advanceTimersByTime(9000));
  act(() => showStatus("two"));
  act(() => vi.advanceTimersByTime(9000));
  expect(shown()).toBe("two");
  act(() => vi.advanceTimersByTime(1000));
  expect(shown()).toBeNull();
});

test("a message stays while somebody points at it", () => {
  show();
  act(() => showStatus("one"));
  const message = document.querySelector("[data-status]")?.parentElement ?? expect.fail("it is shown");
  fireEvent.pointerEnter(message);
  act(() => vi.advanceTimersByTime(60_000));
  expect(shown()).toBe("one");
  fireEvent.pointerLeave(message);
  act(() => vi.advanceTimersByTime(10_000));
  expect(shown()).toBeNull();
});

test("a message that was closed by somebody who pointed at it does not hold the next one", () => {
  show();
  act(() => showStatus("one"));
  fireEvent.pointerEnter(document.querySelector("[data-status]")?.parentElement ?? expect.fail("it is shown"));
  fireEvent.click(document.querySelector("button") ?? expect.fail("it can be closed"));
  expect(shown()).toBeNull();
  act(() => showStatus("two"));
  act(() => vi.advanceTimersByTime(10_000));
  expect(shown()).toBeNull();
});

test("a message of another organization stays, and does not lead to its document from here", () => {
  show();
  act(() => showStatus("one", { organization: other.id, key: "a" }));
  expect(shown()).toBe("one");
  expect(screen.queryByRole("button", { name: "Open it" })).toBeNull();
});

test("a message leads to its document and goes, and a document that is open already gets the focus", async () => {
  // The frames of the window.
  vi.useRealTimers();
  const { openInvoice, navigate } = show();
  act(() => showStatus("one", { organization: own.id, key: "a" }));
  const open = screen.getByRole("button", { name: "Open it" });
  act(() => open.focus());
  fireEvent.click(open);
  expect(openInvoice).toHaveBeenCalledExactlyOnceWith("a");
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ name: "invoices" });
  expect(shown()).toBeNull();
  await expect.poll(() => document.activeElement).toBe(document.querySelector("[data-detail]"));
});
