/** Parts of a document in words: their names and their values, as the form and the detail show them. */

import { countryName } from "../editor/codeLists";
import { detailName } from "../editor/details/detailLabels";
import { identifierSchemeText } from "../editor/details/reasonCodes";
import { localizedText } from "../i18n/localizedText";
import { isolated, type Localizer, type MessageId } from "../i18n/localizer";
import { taxCategoryText } from "../i18n/taxText";
import type {
  AllowanceChargeContent,
  Correction,
  LineContent,
  PaymentContent,
  PeriodContent,
  PrecedingContent,
} from "../ipc/bindings";
import type { Subject } from "./changes";
import type { LineTax } from "./contentParts";

/** Names by path; those of lines begin with `lines.`. The names of other details are those of their fields. */
const NAMES: Readonly<Record<string, MessageId>> = {
  issueDate: "field-issue-date",
  dueDate: "field-due-date",
  supplyDate: "field-supply-date",
  currency: "field-currency",
  note: "field-note",
  noteAr: "field-note-ar",
  correction: "part-correction",
  "details.period": "part-period",
  "details.payment": "part-payment",
  "details.allowancesCharges": "part-allowances-charges",
  "lines.description.ar": "field-description-ar",
  "lines.description.en": "field-description-en",
  "lines.quantity": "field-quantity",
  "lines.unit": "field-unit",
  "lines.unitPrice": "field-unit-price",
  "lines.tax": "field-tax-category",
  "lines.details.period": "part-period",
  "lines.details.allowancesCharges": "part-allowances-charges",
};

/** Names of the buyer's parts, which are said to be the buyer's. */
const BUYER_NAMES: Readonly<Record<string, MessageId>> = {
  "buyer.name.ar": "field-buyer-name-ar",
  "buyer.name.en": "field-buyer-name-en",
  "buyer.taxId": "field-tax-id",
  "buyer.street": "field-street",
  "buyer.building": "field-building",
  "buyer.district": "field-district",
  "buyer.city": "field-city",
  "buyer.postalCode": "field-postal-code",
  "buyer.country": "field-country",
};

const DATES: ReadonlySet<string> = new Set([
  "issueDate",
  "dueDate",
  "supplyDate",
  "details.taxPointDate",
  "details.delivery.latestDate",
]);
const AMOUNTS: ReadonlySet<string> = new Set([
  "lines.unitPrice",
  "lines.details.grossPrice",
  "lines.details.priceDiscount",
  "details.prepaid",
  "details.rounding",
]);
const DECIMALS: ReadonlySet<string> = new Set(["lines.quantity", "lines.details.priceBase", "details.exchangeRate"]);

/** The name of what a change or conflict is about. */
export function subjectName(subject: Subject, localizer: Localizer): string {
  const { t, format } = localizer;
  switch (subject.of) {
    case "document":
      return partName(subject.path, localizer);
    case "cell":
      return t("field-of-line", {
        field: partName(`lines.${subject.path}`, localizer),
        line: format.integer(subject.line.number),
      });
    case "line":
      return t("line-number", { line: format.integer(subject.line.number) });
    case "addedLines":
      return t("part-added-lines");
    case "order":
      return t("part-order");
    case "lines":
      return t("field-lines");
  }
}

/** The name of a part; of one that has none, its path. */
export function partName(path: string, localizer: Localizer): string {
  const { t } = localizer;
  const name = NAMES[path];
  if (name) return t(name as "field-note");
  const buyerName = BUYER_NAMES[path];
  if (buyerName) return t("part-of-buyer", { field: t(buyerName as "field-note") });
  return detailName(path, localizer) ?? path;
}

/** A value of a change or conflict; empty if there is none. The parts of one that has several are isolated. */
export function valueText(subject: Subject, value: unknown, currency: string, localizer: Localizer): string {
  switch (subject.of) {
    case "document":
      return partText(subject.path, value, currency, localizer);
    case "cell":
      return partText(`lines.${subject.path}`, value, currency, localizer);
    case "line":
      return value === undefined ? "" : lineText(value as LineContent, currency, localizer);
    case "addedLines":
      return joined(
        (value as LineContent[]).map((line) => lineText(line, currency, localizer)),
        localizer,
      );
    case "order":
      return joined(
        (value as LineContent[]).map(({ description }) => localizedText(description, localizer.language)),
        localizer,
      );
    case "lines":
      return localizer.t("line-count", { count: (value as LineContent[]).length });
  }
}

function lineText({ description, quantity, unitPrice }: LineContent, currency: string, { format, language }: Localizer): string {
  const name = localizedText(description, language);
  const size = `${isolated(format.decimal(quantity))} × ${isolated(format.amount(unitPrice, currency))}`;
  return name === "" ? size : `${isolated(name)} ${size}`;
}

function partText(path: string, value: unknown, currency: string, localizer: Localizer): string {
  const { t, has, format } = localizer;
  if (value === undefined || value === null) return "";
  if (path === "correction") {
    const { number, issueDate, reason } = value as Correction;
    return joined([number, format.date(issueDate), reason], localizer);
  }
  if (path === "details.precedingDocuments") {
    const named = (value as PrecedingContent[]).map(({ number, issueDate }) =>
      joined([number, format.date(issueDate)], localizer),
    );
    return apart(named, localizer);
  }
  if (path.endsWith("details.period")) {
    const { start, end } = value as PeriodContent;
    return start === "" && end === "" ? "" : t("period-range", { from: format.date(start), to: format.date(end) });
  }
  if (path === "details.payment") return paymentText(value as PaymentContent, localizer);
  if (path === "details.otherPayments") {
    const texts = (value as PaymentContent[]).map((each) => paymentText(each, localizer));
    return apart(texts, localizer);
  }
  if (path.endsWith("details.allowancesCharges")) {
    const texts = (value as AllowanceChargeContent[]).map((each) => allowanceText(each, currency, localizer));
    return apart(texts, localizer);
  }
  if (path === "lines.tax") {
    const { category, rate, code, reason } = value as LineTax;
    return joined([taxCategoryText(category, localizer), rate === "" ? "" : format.percent(rate), code, reason], localizer);
  }
  if (typeof value === "object") return joined(textsIn(value, localizer), localizer);
  const text = String(value);
  if (DATES.has(path)) return format.date(text);
  if (AMOUNTS.has(path)) return format.amount(text, currency);
  if (DECIMALS.has(path)) return format.decimal(text);
  if (path === "lines.unit") return has(`unit-${text}`) ? t(`unit-${text}` as "unit-C62") : text;
  if (path === "lines.details.priceBaseUnit") return has(`unit-${text}`) ? t(`unit-${text}` as "unit-C62") : text;
  if (path === "details.subtype") return has(`subtype-${text}`) ? t(`subtype-${text}` as "subtype-STANDARD") : text;
  if (path === "details.taxPointCode") return has(`tax-point-${text}`) ? t(`tax-point-${text}` as "tax-point-3") : text;
  if (path === "buyer.country" || path === "lines.details.origin") return text && countryName(localizer, text);
  return text;
}

function paymentText({ code, ...others }: PaymentContent, localizer: Localizer): string {
  const { t, has } = localizer;
  const means = `payment-means-${code}`;
  return joined([has(means) ? t(means) : code, ...textsIn(others, localizer)], localizer);
}

/** The texts of an identifier, an address, or a list of such, in words where there are some. */
function textsIn(value: unknown, localizer: Localizer): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    if (name === "country" && typeof child === "string") return child && countryName(localizer, child);
    if (name === "scheme" && typeof child === "string") return identifierSchemeText(child, localizer);
    return textsIn(child, localizer);
  });
}

function allowanceText(
  { kind, amount, percent, reason }: AllowanceChargeContent,
  currency: string,
  localizer: Localizer,
): string {
  const { t, format } = localizer;
  const size = percent === "" ? format.amount(amount, currency) : format.percent(percent);
  return joined([`${t(`part-${kind}`)} ${isolated(size)}`, reason], localizer);
}

function joined(texts: readonly string[], { format }: Localizer): string {
  const filled = texts.filter((text) => text !== "");
  return filled.length > 1 ? format.list(filled.map(isolated)) : (filled[0] ?? "");
}

/** Texts that have commas themselves. */
function apart(texts: readonly string[], { language }: Localizer): string {
  return texts.length > 1 ? texts.map(isolated).join(language === "ar" ? "؛ " : "; ") : (texts[0] ?? "");
}
