/** Fields of the form: their labels, and the mapping from the path of an error to a field. */

import type { Localizer, MessageId } from "../i18n/localizer";
import type { InvoiceContent, Language, Violation } from "../ipc/bindings";
import { textEntries } from "./paths";

/** Labels by path without line numbers. */
const FIELD_LABELS: Readonly<Record<string, MessageId>> = {
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

/** The label of a field, with the number of its line. */
export function fieldName(path: string, { t, format }: Localizer): string {
  const line = /^lines\[(\d+)\]/.exec(path)?.[1];
  const id = FIELD_LABELS[path.replace(/\[\d+\]/g, "")];
  if (line === undefined) return id ? t(id) : path;
  const number = format.integer(Number(line) + 1);
  return id ? t("field-of-line", { field: t(id), line: number }) : t("line-number", { line: number });
}

/**
 * The field with an input for a content path: the field itself, else its first descendant, else its nearest ancestor.
 * `null` if there is none; the error then appears in the summary only. The core has mapped the path of the request.
 */
export function fieldFor(target: string, content: InvoiceContent, language: Language): string | null {
  const formFields = new Set([...textEntries(content).keys()].filter((field) => FIELD_LABELS[field.replace(/\[\d+\]/g, "")]));
  if (formFields.has(target)) return target;
  if (formFields.has(`${target}.${language}`)) return `${target}.${language}`;
  const descendant = [...formFields].find((field) => field.startsWith(`${target}.`) || field.startsWith(`${target}[`));
  if (descendant !== undefined) return descendant;
  if (target === "lines") return "lines";
  const parent = target.replace(/(?:\.[^.[\]]+|\[\d+\])$/, "");
  return parent === target || parent === "" ? null : fieldFor(parent, content, language);
}

/** An error with its field and its localized message. */
export interface FieldError {
  /** Path of the field, or `null` if the form has none. */
  field: string | null;
  /** Label of the field, or the path in the request. */
  name: string;
  message: string;
}

/** All violations in the order of the form. Violations without a field come last. */
export function toFieldErrors(violations: readonly Violation[], content: InvoiceContent, localizer: Localizer): FieldError[] {
  const order = ["issueDate", "dueDate", "supplyDate", "currency", "correction", "buyer", "lines", "note"];
  const rank = ({ field }: FieldError) => (field === null ? order.length : order.findIndex((part) => field.startsWith(part)));
  return violations
    .map((violation): FieldError => {
      const field = violation.field === null ? null : fieldFor(violation.field, content, localizer.language);
      return {
        field,
        name: fieldName(field ?? violation.field ?? violation.path, localizer),
        message: ruleMessage(violation, localizer),
      };
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/** The localized message of a rule. English falls back to the description of the service. */
export function ruleMessage({ rule, description }: Violation, { t, has, language }: Localizer): string {
  const id = `rule-${rule}`;
  if (rule !== "" && has(id)) return t(id);
  return language === "en" && description !== ""
    ? `${description[0]?.toUpperCase()}${description.slice(1)}.`
    : t("rule-other", { rule });
}

/** Messages by field, as `validationErrors` of React Aria's Form. */
export function messagesByField(found: readonly FieldError[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { field, message } of found) if (field !== null) (fields[field] ??= []).push(message);
  return fields;
}

/**
 * The next or previous field with an error, starting at the focus, and wrapping around. The order is that of the DOM, because
 * a field that was just corrected is no longer in the list.
 */
export function adjacentField(fields: readonly string[], by: 1 | -1): string {
  const focused = document.activeElement ?? document.body;
  const side = by === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const candidates = fields.filter((field) => {
    const element = fieldElement(field);
    return element !== null && !element.contains(focused) && (focused.compareDocumentPosition(element) & side) !== 0;
  });
  return (by === 1 ? (candidates[0] ?? fields[0]) : (candidates.at(-1) ?? fields.at(-1))) ?? "";
}

/** Moves the focus into a field. */
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
