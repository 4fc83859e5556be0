/** The price of an item is filled in its own currency alone, and nothing while the document is sent. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useReducer } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { content } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import type { Draft, ItemView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { draftReducer, initialEditorState } from "./draftReducer";
import { newLine } from "./invoiceLines";
import { useItemChoice } from "./useItemChoice";

vi.mock("../state/withBinding");
afterEach(cleanup);

const price = { unitPrice: "12.50", currency: "SAR", taxCategory: "S", taxRate: "15", exemptionCode: "" };
const item: ItemView = { key: "i", stamp: "1", description: { ar: "استشارة", en: "Advice" }, code: "", unit: "HUR", price };
const lines = [newLine(undefined, "15")];
const draft: Draft = { key: "k", changes: null, content: { ...content, lines }, state: "editing" };
const ignore = () => undefined;

function Form({ isReadOnly = false }) {
  const [state, dispatch] = useReducer(draftReducer, { draft, standardRate: "15" }, initialEditorState);
  const { choose } = useItemChoice({ state, dispatch, trackFill: ignore, isReadOnly });
  const [filled] = state.draft.content.lines;
  return (
    <>
      <button type="button" onClick={() => choose(0, item)}>
        Choose
      </button>
      <button type="button" onClick={() => dispatch({ type: "fieldChanged", path: "currency", text: "USD" })}>
        Dollars
      </button>
      <output>{`${filled?.unit}: ${filled?.unitPrice}`}</output>
    </>
  );
}

const line = () => document.querySelector("output")?.textContent ?? "";

/** Chooses the item, does something else, and then gets the answer about the buyer, with which the line is filled. */
async function chooseBetween(meanwhile: () => void): Promise<void> {
  const answers: (() => void)[] = [];
  vi.spyOn(commands, "knownParty").mockReturnValue(
    new Promise((resolve) => {
      answers.push(() => resolve({ status: "ok", data: null }));
    }),
  );
  runWithBinding();
  renderInWorkspace(<Form />);
  fireEvent.click(screen.getByRole("button", { name: "Choose" }));
  meanwhile();
  await act(async () => answers.shift()?.());
  await waitFor(() => expect(line()).toMatch(/^HUR/));
}

test("an item fills its price in the currency of the document", async () => {
  await chooseBetween(ignore);
  expect(line()).toBe("HUR: 12.50");
});

test("a currency that was changed while the price was asked for gets no price of the former one", async () => {
  await chooseBetween(() => fireEvent.click(screen.getByRole("button", { name: "Dollars" })));
  expect(line()).toBe("HUR: ");
});

test("an item that is chosen while the document is sent fills nothing, and asks for no price", () => {
  vi.spyOn(commands, "knownParty");
  runWithBinding();
  renderInWorkspace(<Form isReadOnly />);
  fireEvent.click(screen.getByRole("button", { name: "Choose" }));
  expect(commands.knownParty).not.toHaveBeenCalled();
});
