/** A document with amounts keeps its currency for a buyer of another one, and offers that one in words. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useReducer } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { setCustomKeys } from "../components/shortcuts";
import { content } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { Draft, PartyView } from "../ipc/bindings";
import { BuyerCurrencyNotice } from "./BuyerCurrencyNotice";
import { draftReducer, initialEditorState } from "./draftReducer";
import { useBuyerChoice } from "./useBuyerChoice";

vi.mock("../components/announce");
beforeEach(() => vi.mocked(announce).mockClear());
afterEach(cleanup);

const party: PartyView = {
  key: "p",
  stamp: "1",
  buyer: { ...content.buyer, name: { ar: "شركة المعرفة", en: "Knowledge Company" }, taxId: "310000000000003" },
  currency: "USD",
  paymentTerms: "",
  dueTerms: null,
  note: "",
};
const draft: Draft = { key: "k", changes: null, content, state: "editing" };

function Form({ isReadOnly = false }) {
  const [state, dispatch] = useReducer(draftReducer, { draft, standardRate: "15" }, initialEditorState);
  const { choose, withOtherCurrency } = useBuyerChoice({ state, dispatch, isReadOnly });
  const { currency } = state.draft.content;
  const change = (text: string) => dispatch({ type: "fieldChanged", path: "currency", text });
  return (
    <>
      <button type="button" onClick={() => choose(party)}>
        Choose
      </button>
      <button type="button" onClick={() => dispatch({ type: "undone" })}>
        Undo
      </button>
      <output>{currency}</output>
      {withOtherCurrency && <BuyerCurrencyNotice party={withOtherCurrency} currency={currency} onCurrency={change} />}
    </>
  );
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const shownCurrency = () => document.querySelector("output")?.textContent;
const notice = () => plainText(document.querySelector("[aria-live=off]")?.textContent ?? "");

test("prices stay in their currency, and the other one is offered until it is chosen", () => {
  renderInWorkspace(<Form />);
  press("Choose");
  expect(shownCurrency()).toBe("SAR");
  expect(notice()).toContain("Knowledge Company is usually invoiced in USD. The document stays in SAR");
  press(/USD/);
  expect([shownCurrency(), notice()]).toEqual(["USD", ""]);
});

test("a buyer that is taken back takes the offer along", () => {
  renderInWorkspace(<Form />);
  press("Choose");
  press("Undo");
  expect([shownCurrency(), notice()]).toEqual(["SAR", ""]);
});

test("a buyer that is chosen while the document is sent is not filled in, and is not said to be", () => {
  const { rerender } = renderInWorkspace(<Form isReadOnly />);
  press("Choose");
  expect(announce).not.toHaveBeenCalled();
  expect(notice()).toBe("");
  rerender(<Form />);
  press("Choose");
  expect(announce).toHaveBeenCalledTimes(1);
});

test("what is announced names the keys that take the buyer back, also those that were chosen", () => {
  renderInWorkspace(<Form />);
  press("Choose");
  setCustomKeys({ undo: "Mod+Shift+U" });
  press("Choose");
  setCustomKeys({});
  const said = vi.mocked(announce).mock.calls.map(([text]) => plainText(text));
  expect(said).toEqual([expect.stringContaining("Ctrl+Z takes it back"), expect.stringContaining("Ctrl+Shift+U takes it back")]);
});
