/** Tests of the rare fields in the detail of a document. */

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { emptyBuyerDetails, emptyDetails, emptyLineDetails } from "../editor/details/detailFields";
import { content } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { InvoiceContent, Preferences } from "../ipc/bindings";
import { MoreFacts } from "./MoreFacts";

function show(shown: InvoiceContent, language: Preferences["language"]) {
  const preferences: Preferences = { language, theme: "light", digits: "latin" };
  return render(
    <LocalizerProvider preferences={preferences}>
      <MoreFacts content={shown} />
    </LocalizerProvider>,
  );
}

const [line, ...others] = content.lines;
const full: InvoiceContent = {
  ...content,
  buyer: { ...content.buyer, details: { ...emptyBuyerDetails, otherIds: [{ scheme: "CRN", value: "1010203040" }] } },
  details: { ...emptyDetails, payment: { ...emptyDetails.payment, card: { number: "4321", network: "", holder: "" } } },
  lines: line ? [{ ...line, details: { ...emptyLineDetails, origin: "AE" } }, ...others] : [],
};

test("the detail shows what the rare fields hold, by group", () => {
  show(full, "en");
  expect(screen.getByRole("region", { name: "Buyer" }).textContent).toContain("1010203040");
  expect(screen.getByRole("region", { name: "Payment and payee" }).textContent).toContain("4321");
  expect(screen.getByText("United Arab Emirates")).toBeTruthy();
});

test("in Arabic it has no code where there are words", () => {
  show(full, "ar");
  expect(screen.getByText("السجل التجاري")).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/CRN|\bAE\b/);
});

test("a document without rare fields shows nothing", () => {
  expect(show(content, "en").container.textContent).toBe("");
});
