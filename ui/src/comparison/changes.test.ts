/** Tests of the differences between two versions of a document. */
import { describe, expect, test } from "vitest";
import { emptyPayment } from "../editor/details/detailFields";
import { withText } from "../editor/paths";
import { content } from "../gallery/fixtures";
import { createLocalizer } from "../i18n/localizer";
import type { AllowanceChargeContent, BuyerContent, InvoiceContent, LineContent } from "../ipc/bindings";
import { type Change, changesBetween } from "./changes";
import { documentParts, lineParts } from "./contentParts";
import { partName, subjectName, valueText } from "./partText";

const identified = (line: LineContent, index: number): LineContent => ({ ...line, id: String(index + 1) });
const base: InvoiceContent = { ...content, lines: content.lines.map(identified) };
const [first, second] = base.lines as [LineContent, LineContent];
const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "arabic");
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, "");

describe("changesBetween", () => {
  const words = (changes: readonly Change[]) =>
    changes.map(({ subject, before, after }) =>
      [subjectName(subject, english), valueText(subject, before, "SAR", english), valueText(subject, after, "SAR", english)].map(
        plain,
      ),
    );
  test("names each field with its value before and after, as the form shows them", () => {
    const after = withText(withText(base, "dueDate", "2026-12-31"), "lines[1].unitPrice", "12000");
    expect(words(changesBetween(base, after))).toEqual([
      ["Due date", "14 Dec 2026", "31 Dec 2026"],
      ["Unit price, line 2", "5,000.00", "12,000.00"],
    ]);
  });
  test("matches lines by their ids: a moved line is not changed, and a new one is added", () => {
    const added = { ...first, id: "3", description: { ar: "", en: "Masks" } };
    expect(words(changesBetween(base, { ...base, lines: [second, added] }))).toEqual([
      ["Line 2", "", "Masks 500 × 30.00"],
      ["Line 1", "Sterile gloves, box of 100 500 × 30.00", ""],
    ]);
    expect(words(changesBetween(base, { ...base, lines: [second, first] })).map(([name]) => name)).toEqual([
      "Order of the lines",
    ]);
  });
  test("finds nothing between equal versions, also if one lacks empty fields", () => {
    expect(changesBetween(base, { ...base, correction: { key: "", number: "", issueDate: "", reason: "" } })).toEqual([]);
  });
  test("isolates the parts of a value: a sign, a number or a date would change places beside Arabic words", () => {
    const line = { ...first, description: { ar: "قفازات", en: "" }, quantity: "-2", unitPrice: "5" };
    const text = valueText({ of: "addedLines" }, [line], "SAR", arabic);
    expect(text).toBe("\u2068قفازات\u2069 \u2068\u2212٢\u2069 × \u2068٥٫٠٠\u2069");
    const preceding = { of: "document", path: "details.precedingDocuments" } as const;
    const documents = [
      { number: "INV-2", issueDate: "2026-11-02" },
      { number: "INV-3", issueDate: "" },
    ];
    expect(plain(valueText(preceding, documents, "SAR", arabic))).toMatch(/^INV-2، .*؛ INV-3$/);
  });
  test("localizes values", () => {
    const subject = { of: "document", path: "dueDate" } as const;
    expect(valueText(subject, "2026-12-31", "SAR", arabic)).toMatch(/٣١/);
    expect(valueText({ of: "document", path: "details.prepaid" }, "1234.5", "KWD", english)).toBe("1,234.500");
  });
});

describe("parts", () => {
  const allowance: AllowanceChargeContent = {
    kind: "charge",
    amount: "10",
    percent: "",
    base: "",
    reason: "Freight",
    reasonCode: "FC",
    taxCategory: "S",
    taxRate: "15",
    exemptionCode: "",
  };
  const text = { ar: "x", en: "x" };
  const identifier = { scheme: "CRN", value: "1010203040" };
  const address = {
    building: "1",
    additionalNumber: "2",
    street: "Quay",
    additionalStreet: "",
    thirdLine: "",
    district: "",
    city: "Jeddah",
    postalCode: "",
    region: "",
    country: "SA",
  };
  // The types make sure that no field is missing here.
  const details: Required<InvoiceContent>["details"] = {
    period: { start: "2026-11-01", end: "2026-11-30" },
    references: {
      purchaseOrder: "x",
      buyer: "x",
      contract: "x",
      project: "x",
      salesOrder: "x",
      despatchAdvice: "x",
      receivingAdvice: "x",
      accounting: "x",
      tender: "x",
      invoicedObject: identifier,
    },
    payment: {
      code: "30",
      account: "SA03",
      accountName: "Al-Khair",
      provider: "",
      remittance: "",
      name: "",
      card: { number: "4321", network: "", holder: "" },
      mandate: { reference: "", payerAccount: "" },
    },
    otherPayments: [{ ...emptyPayment, code: "10", name: "at the counter" }],
    paymentTerms: "x",
    taxCurrency: "x",
    exchangeRate: "1",
    prepaid: "1",
    rounding: "1",
    allowancesCharges: [allowance],
    subtype: "STANDARD",
    taxPointDate: "2026-11-01",
    taxPointCode: "35",
    delivery: { party: text, location: identifier, latestDate: "2026-11-25", address },
    payee: { name: text, id: identifier, legalId: identifier },
    taxRepresentative: { name: text, taxId: "x", address },
    documents: [{ id: identifier, typeCode: "x", description: "x", uri: "x" }],
    precedingDocuments: [{ number: "INV-2", issueDate: "2026-11-02" }],
  };
  const buyerDetails: Required<BuyerContent>["details"] = {
    tradingName: text,
    otherIds: [identifier],
    legalId: identifier,
    electronicAddress: identifier,
    contact: { name: "x", phone: "x", email: "x" },
    additionalNumber: "x",
    additionalStreet: "x",
    thirdLine: "x",
    region: "x",
  };
  const lineDetails: Required<LineContent>["details"] = {
    itemCode: "x",
    buyerItemCode: "x",
    orderLine: "x",
    note: "x",
    period: details.period,
    priceBase: "1",
    exemptionReason: "x",
    allowancesCharges: [allowance],
    object: identifier,
    accounting: "x",
    grossPrice: "1",
    priceDiscount: "1",
    priceBaseUnit: "C62",
    itemDescription: text,
    standardItemCode: identifier,
    origin: "SA",
    classifications: [{ list: "HS", version: "x", code: "x" }],
    attributes: [{ name: "x", value: "x" }],
  };
  test("of a document and its lines have a name each", () => {
    const correction = { key: "k", number: "1", issueDate: "2026-11-01", reason: "x" };
    const paths = [
      ...documentParts({ ...base, buyer: { ...base.buyer, details: buyerDetails }, correction, details }).keys(),
      ...[...lineParts({ ...first, details: lineDetails }).keys()].map((path) => `lines.${path}`),
    ];
    expect(paths.filter((path) => [english, arabic].some((localizer) => partName(path, localizer) === path))).toEqual([]);
  });
  test("of several texts are shown as one value", () => {
    const value = (path: string, part: unknown) => plain(valueText({ of: "document", path }, part, "SAR", english));
    expect(value("details.period", details.period)).toBe("1 Nov 2026 to 30 Nov 2026");
    expect(value("details.payment", details.payment)).toBe("Bank transfer, SA03, Al-Khair, 4321");
    expect(value("details.payment", { ...details.payment, code: "58" })).toBe("SEPA credit transfer, SA03, Al-Khair, 4321");
    expect(value("details.otherPayments", details.otherPayments)).toBe("Cash, at the counter");
    expect(value("details.precedingDocuments", details.precedingDocuments)).toBe("INV-2, 2 Nov 2026");
    expect(value("details.delivery.address", address)).toBe("1, 2, Quay, Jeddah, Saudi Arabia");
    expect(value("buyer.details.otherIds", [identifier])).toBe("Commercial registration, 1010203040");
    expect(value("details.allowancesCharges", [allowance])).toBe("Charge 10.00, Freight");
  });
});
