/** Suggestions are forgotten and brought back by a key and by the pointer, where that is offered. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useRef, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import { useSuggestions } from "./useSuggestions";

// jsdom has none, and lists use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

vi.mock("./announce");

interface Named {
  name: string;
  stamp: number;
}

const oasis: Named = { name: "Oasis Hotels", stamp: 1 };
const olive: Named = { name: "Olive Trading", stamp: 1 };
const set = vi.fn<(found: Named, forgotten: boolean) => Promise<Named | null>>();
const onChoose = vi.fn();

beforeEach(() => {
  set.mockReset().mockImplementation(async (found) => ({ ...found, stamp: found.stamp + 1 }));
  onChoose.mockClear();
});
afterEach(cleanup);

function Field({ isOffered }: { isOffered: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const { inputProps, onInput, list } = useSuggestions<Named>({
    input,
    text,
    label: "Buyers",
    search: async () => [oasis, olive],
    toSuggestion: ({ name }) => ({ id: name, label: name }),
    onChoose,
    forgetting: { isOffered: () => isOffered, set },
  });
  return (
    <>
      <input
        {...inputProps}
        ref={input}
        aria-label="Buyer"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onInput(event.target.value);
        }}
      />
      {list}
    </>
  );
}

/** Types letters, and waits for what they find. */
async function open(isOffered = true) {
  renderInWorkspace(<Field isOffered={isOffered} />);
  const input = screen.getByRole("combobox", { name: "Buyer" });
  act(() => input.focus());
  fireEvent.change(input, { target: { value: "oas" } });
  await screen.findByRole("option", { name: /Olive/ });
  const press = (key: string, shiftKey = false) => act(async () => void fireEvent.keyDown(input, { key, shiftKey }));
  return { input, press };
}

const showsOptions = (...texts: readonly string[]) =>
  waitFor(() => expect(screen.getAllByRole("option").map(({ textContent }) => plainText(textContent ?? ""))).toEqual(texts));

test("Shift+Delete forgets the chosen suggestion, and brings it back with its new stamp", async () => {
  const { input, press } = await open();
  await press("ArrowDown");
  await press("Delete", true);
  expect(set).toHaveBeenLastCalledWith(olive, true);
  await showsOptions("Oasis Hotels", "Olive TradingNo longer suggested");
  await press("Enter");
  expect(onChoose, "a forgotten one is not chosen").not.toHaveBeenCalled();
  await press("Delete", true);
  expect(set).toHaveBeenLastCalledWith({ ...olive, stamp: 2 }, false);
  await showsOptions("Oasis Hotels", "Olive Trading");
  await press("Enter");
  expect(onChoose).toHaveBeenCalledExactlyOnceWith({ ...olive, stamp: 3 });
  expect(document.activeElement).toBe(input);
});

test("its cross does the same, and is no part of its name", async () => {
  await open();
  const cross = document.querySelectorAll("[data-forget]")[0] ?? expect.fail("each has one");
  await act(async () => void fireEvent.click(cross));
  expect(set).toHaveBeenCalledExactlyOnceWith(oasis, true);
  expect(onChoose).not.toHaveBeenCalled();
});

test("a list that is out of date is closed, and what was typed stays", async () => {
  set.mockResolvedValue(null);
  const { input, press } = await open();
  await press("Delete", true);
  await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  expect((input as HTMLInputElement).value).toBe("oas");
});

test("where nothing may be forgotten, nothing says so, and the key is left to the field", async () => {
  const { press } = await open(false);
  await press("Delete", true);
  expect(set).not.toHaveBeenCalled();
  expect(document.querySelector("[data-forget]")).toBeNull();
  expect(screen.queryByText(/Shift\+Delete/)).toBeNull();
});
