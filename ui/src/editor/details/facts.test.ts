/** Tests of what a closed fold says that it holds. */

import { expect, test } from "vitest";
import { createLocalizer } from "../../i18n/localizer";
import { documentGroups, emptyBuyerDetails, emptyDetails, emptyLineDetails, emptyPayment } from "./detailFields";
import { buyerFacts, factTexts, groupFacts, lineFacts } from "./facts";

const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "arabic");
const plain = (texts: readonly string[]) => texts.map((text) => text.replace(/[\u2068\u2069]/g, ""));

test("a document without rare fields has no facts", () => {
  expect(documentGroups.flatMap((group) => groupFacts(emptyDetails, group, english))).toEqual([]);
  expect([...buyerFacts(emptyBuyerDetails, english), ...lineFacts(emptyLineDetails, english)]).toEqual([]);
});

test("identifiers and countries are in words of both languages", () => {
  const buyer = { ...emptyBuyerDetails, otherIds: [{ scheme: "NAT", value: "1012345678" }] };
  expect(plain(factTexts(buyerFacts(buyer, english)))).toEqual(["National id 1012345678"]);
  expect(plain(factTexts(buyerFacts(buyer, arabic)))).toEqual(["الهوية الوطنية 1012345678"]);
  expect(plain(factTexts(lineFacts({ ...emptyLineDetails, origin: "SA" }, english)))).toEqual(["Country of origin Saudi Arabia"]);
});

test("a second account follows the terms of payment", () => {
  const account = { ...emptyPayment, code: "30", account: "SA0380000000608010167519" };
  const second = { ...emptyPayment, account: "SA4420000001234567891234" };
  const details = { ...emptyDetails, payment: account, otherPayments: [second], paymentTerms: "30 days" };
  expect(plain(factTexts(groupFacts(details, "payment", english)))).toEqual([
    "Bank transfer",
    "SA0380000000608010167519",
    "30 days",
    "SA4420000001234567891234",
  ]);
});

test("each fact of a delivery has a label, for the detail", () => {
  const delivery = {
    ...emptyDetails.delivery,
    party: { ar: "", en: "Dock 4" },
    latestDate: "2026-11-25",
    address: { ...emptyDetails.delivery.address, city: "Jeddah", country: "SA" },
  };
  const facts = groupFacts({ ...emptyDetails, delivery }, "delivery", english);
  expect(facts.map(({ label, text }) => [label, text])).toEqual([
    ["Recipient in English", "Dock 4"],
    ["Last day of supply", "25 Nov 2026"],
    ["Address", "Jeddah, Saudi Arabia"],
  ]);
});

test("a preceding document has no dot beside the digits of its date, where Arabic has a zero", () => {
  const precedingDocuments = [{ number: "INV-7", issueDate: "2026-11-20" }];
  const text = (localizer: typeof english) =>
    plain(groupFacts({ ...emptyDetails, precedingDocuments }, "references", localizer).map((fact) => fact.text))[0];
  expect(text(english)).toBe("INV-7 – 20 Nov 2026");
  expect(text(arabic)).toMatch(/^INV-7 – .*٢٠/);
});

test("a value is isolated from its label: after Arabic words the parts of a number would change places", () => {
  const details = { ...emptyLineDetails, orderLine: "4500-123" };
  for (const localizer of [english, arabic]) {
    expect(factTexts(lineFacts(details, localizer))).toEqual([expect.stringMatching(/^[^\u2068]+ \u20684500-123\u2069$/)]);
  }
});

test("numbers are grouped and have the digits of the settings, and what is no number stays as it was typed", () => {
  const details = { ...emptyDetails, prepaid: "-1234.50", rounding: "1,2,3" };
  const texts = (localizer: typeof english) => groupFacts(details, "prepaid", localizer).map(({ text }) => text);
  expect(texts(english)).toEqual(["\u22121,234.50", "1,2,3"]);
  expect(texts(arabic)).toEqual(["\u2212١٬٢٣٤٫٥٠", "1,2,3"]);
  const line = lineFacts({ ...emptyLineDetails, grossPrice: "1000" }, english);
  expect(line.map(({ text }) => text)).toEqual(["1,000"]);
});
