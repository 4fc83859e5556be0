/** A document with amounts keeps its currency for a buyer of another one, and offers that one in words. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useReducer } from "react";
import { afterEach, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { Draft, PartyView } from "../ipc/bindings";
import { BuyerCurrencyNotice } from "./BuyerCurrencyNotice";
import { draftReducer, initialEditorState } from "./draftReducer";
import { useBuyerChoice } from "./useBuyerChoice";

afterEach(cleanup);

const party: PartyView = {
  key: "p",
  buyer: { ...content.buyer, name: { ar: "شركة المعرفة", en: "Knowledge Company" }, taxId: "310000000000003" },
  currency: "USD",
  paymentTerms: "",
  dueDays: 0,
  note: "",
};
const draft: Draft = { key: "k", changes: null, content, state: "editing" };

function Form() {
  const [state, dispatch] = useReducer(draftReducer, { draft, standardRate: "15" }, initialEditorState);
  const { choose, withOtherCurrency } = useBuyerChoice({ state, dispatch });
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
