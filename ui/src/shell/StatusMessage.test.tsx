/** A status message is shown until it is closed or has been there for a while. */

import { act, cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hideStatus, showStatus } from "../components/statusMessage";
import { StatusMessage } from "./StatusMessage";

vi.mock("../i18n/LocalizerProvider", () => ({ useLocalizer: () => ({ t: (id: string) => id }) }));

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  act(hideStatus);
  cleanup();
  vi.useRealTimers();
});

const shown = () => document.querySelector("[data-status]")?.textContent ?? null;

test("the last message is shown for a while, and a new one for as long again", () => {
  render(<StatusMessage />);
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
  render(<StatusMessage />);
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
  render(<StatusMessage />);
  act(() => showStatus("one"));
  fireEvent.pointerEnter(document.querySelector("[data-status]")?.parentElement ?? expect.fail("it is shown"));
  fireEvent.click(document.querySelector("button") ?? expect.fail("it can be closed"));
  expect(shown()).toBeNull();
  act(() => showStatus("two"));
  act(() => vi.advanceTimersByTime(10_000));
  expect(shown()).toBeNull();
});
