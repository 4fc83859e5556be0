/** Tests of the question before changes are discarded. */

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { LeaveDeclined, type Navigation, NavigationContext } from "../state/navigation";
import { defaultPreferences } from "../state/usePreferences";
import { useDiscardQuestion } from "./useDiscardQuestion";

// jsdom has none, and modal dialogs use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

function View({ changed }: { changed: boolean }) {
  return useDiscardQuestion(changed);
}

/** A view that is left with the returned function, as every change of the view does. */
function viewWith(changed: boolean): () => Promise<string> {
  const callbacks = new Set<() => Promise<void>>();
  const registerAutosave = (callback: () => Promise<void>) => {
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  };
  render(
    <LocalizerProvider preferences={{ ...defaultPreferences, language: "en" }}>
      <NavigationContext value={{ registerAutosave } as unknown as Navigation}>
        <View changed={changed} />
      </NavigationContext>
    </LocalizerProvider>,
  );
  return () =>
    Promise.all([...callbacks].map((leave) => leave())).then(
      () => "left",
      (refusal) => (refusal instanceof LeaveDeclined ? "stayed" : "failed"),
    );
}

afterEach(cleanup);

test("a view without changes is left without a question", async () => {
  expect(await viewWith(false)()).toBe("left");
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

/** Whether a page is unloaded without a question. */
const unloads = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

test("a page with changes is not unloaded without a question, and one without changes is", () => {
  viewWith(false);
  expect(unloads()).toBe(true);
  cleanup();
  viewWith(true);
  expect(unloads()).toBe(false);
  cleanup();
  expect(unloads()).toBe(true);
});

test.each([
  ["Discard it", "left"],
  ["Go on editing", "stayed"],
])(
  "a view with changes asks, and %s means %s",
  async (button, outcome) => {
    const leave = viewWith(true);
    let left = Promise.resolve("");
    act(() => {
      left = leave();
    });
    fireEvent.click(await screen.findByRole("button", { name: button }, { timeout: 20_000 }));
    expect(await left).toBe(outcome);
    expect(screen.queryByRole("alertdialog")).toBeNull();
  },
  40_000,
);
