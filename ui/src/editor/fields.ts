/** The fields of the form: what they are called, and which one an error belongs to. */

import type { Localizer, MessageId } from "../i18n/localizer";
import type { InvoiceContent, Language, Violation } from "../ipc/bindings";
import { textEntries } from "./paths";

/** Names of the fields, by path without line numbers. */
const NAMES: Readonly<Record<string, MessageId>> = {
  issueDate: "field-issue-date",
  dueDate: "field-due-date",
  supplyDate: "field-supply-date",
  currency: "field-currency",
  note: "field-note",
  "buyer.name": "field-buyer-name",
  "buyer.name.ar": "field-buyer-name-ar",
  "buyer.name.en": "field-buyer-name-en",
  "buyer.taxId": "field-tax-id",
  "buyer.street": "field-street",
  "buyer.building": "field-building",
  "buyer.district": "field-district",
  "buyer.city": "field-city",
  "buyer.postalCode": "field-postal-code",
  "buyer.country": "field-country",
  "correction.reason": "field-reason",
  "correction.number": "field-corrected",
  lines: "field-lines",
  "lines.description": "field-description",
  "lines.description.ar": "field-description-ar",
  "lines.description.en": "field-description-en",
  "lines.quantity": "field-quantity",
  "lines.unit": "field-unit",
  "lines.unitPrice": "field-unit-price",
  "lines.taxCategory": "field-tax-category",
  "lines.taxRate": "field-tax-rate",
  "lines.exemptionCode": "field-exemption",
};

/** What a field is called, with its line. */
export function fieldName(path: string, { t, format }: Localizer): string {
  const line = /^lines\[(\d+)\]/.exec(path)?.[1];
  const id = NAMES[path.replace(/\[\d+\]/g, "")];
  if (line === undefined) return id ? t(id) : path;
  const number = format.integer(Number(line) + 1);
  return id ? t("field-of-line", { field: t(id), line: number }) : t("line-number", { line: number });
}

/**
 * The field of the form that an error's path leads to: the field itself, else the first one below it, else the nearest above it.
 * `null` if the form has nothing of the kind: then the error stays in the summary.
 */
export function fieldFor(path: string, content: InvoiceContent, language: Language): string | null {
  const wanted = path.replace(/^(?:changes\.)?content\.(?:invoice\.)?/, "").replace(/^invoice\./, "");
  const known = new Set([...textEntries(content).keys()].filter((field) => NAMES[field.replace(/\[\d+\]/g, "")]));
  if (known.has(wanted)) return wanted;
  if (known.has(`${wanted}.${language}`)) return `${wanted}.${language}`;
  const below = [...known].find((field) => field.startsWith(`${wanted}.`) || field.startsWith(`${wanted}[`));
  if (below !== undefined) return below;
  if (wanted === "lines") return "lines";
  const above = wanted.replace(/(?:\.[^.[\]]+|\[\d+\])$/, "");
  return above === wanted || above === "" ? null : fieldFor(above, content, language);
}

/** An error with its place in the form and its words in the person's language. */
export interface FieldError {
  /** Path of the field; `null` if the form has none. */
  field: string | null;
  /** What the field is called, or the request's own path. */
  name: string;
  message: string;
}

/** Every violation in the order of the form, the ones without a field last. */
export function toFieldErrors(violations: readonly Violation[], content: InvoiceContent, localizer: Localizer): FieldError[] {
  const order = ["issueDate", "dueDate", "supplyDate", "currency", "correction", "buyer", "lines", "note"];
  const rank = ({ field }: FieldError) => (field === null ? order.length : order.findIndex((part) => field.startsWith(part)));
  return violations
    .map((violation): FieldError => {
      const field = fieldFor(violation.field, content, localizer.language);
      return { field, name: fieldName(field ?? violation.field, localizer), message: ruleMessage(violation, localizer) };
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/** What a rule says, in words of our own; the service's sentence only where we have none, and then in English. */
export function ruleMessage({ rule, description }: Violation, { t, has, language }: Localizer): string {
  const id = `rule-${rule}`;
  if (rule !== "" && has(id)) return t(id);
  return language === "en" && description !== ""
    ? `${description[0]?.toUpperCase()}${description.slice(1)}.`
    : t("rule-other", { rule });
}

/** The problems' words by field, as React Aria's Form takes them. */
export function messagesByField(found: readonly FieldError[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { field, message } of found) if (field !== null) (fields[field] ??= []).push(message);
  return fields;
}

/**
 * The next field with something wrong, from where the keyboard is and round the form. Positions in the page decide: the field that
 * was just put right is no longer among them.
 */
export function adjacentField(fields: readonly string[], by: 1 | -1): string {
  const here = document.activeElement ?? document.body;
  const side = by === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const beyond = fields.filter((field) => {
    const place = fieldElement(field);
    return place !== null && !place.contains(here) && (here.compareDocumentPosition(place) & side) !== 0;
  });
  return (by === 1 ? (beyond[0] ?? fields[0]) : (beyond.at(-1) ?? fields.at(-1))) ?? "";
}

/** Puts the keyboard into a field. */
export function focusField(path: string): void {
  const target = fieldElement(path)?.querySelector<HTMLElement>(
    "input:not([type=hidden], [hidden], [tabindex='-1']), textarea, [role=spinbutton], button",
  );
  target?.scrollIntoView({ block: "center" });
  target?.focus();
}

function fieldElement(path: string): Element | null {
  return document.querySelector(`[data-field=${JSON.stringify(path)}]`);
}
