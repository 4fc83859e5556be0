/** Fields of the form: their labels, and the mapping from the path of an error to a field. */

import type { Localizer, MessageId } from "../i18n/localizer";
import type { CommandError, InvoiceContent, Language, Violation } from "../ipc/bindings";
import { buyerDetailPaths, documentDetailPaths, type ListCounts, lineDetailPaths } from "./details/detailFields";
import { detailName } from "./details/detailLabels";
import { getText } from "./paths";

/** Labels by path without line numbers. */
const FIELD_LABELS: Readonly<Record<string, MessageId>> = {
  issueDate: "field-issue-date",
  dueDate: "field-due-date",
  supplyDate: "field-supply-date",
  currency: "field-currency",
  note: "field-note",
  noteAr: "field-note-ar",
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

/** Whether the path of a violation is in the seller, which is the own organization: no form of a document has its fields. */
export function isOfSeller(path: string): boolean {
  return /(?:^|\.)seller(?:\.|$)/.test(path);
}

/** Whether a request was refused because of the seller, beside whatever else. */
export function isAboutSeller(error: CommandError): boolean {
  return error.kind === "invalidArgument" && error.violations.some(({ path }) => isOfSeller(path));
}

/** The label of a field, with the number of its line and of its allowance or charge. */
export function fieldName(path: string, localizer: Localizer): string {
  const { t, format } = localizer;
  if (isOfSeller(path)) return t("administration-ownTenant");
  const line = /^lines\[(\d+)\]/.exec(path)?.[1];
  const id = FIELD_LABELS[path.replace(/\[\d+\]/g, "")];
  const label = id ? t(id as "field-note") : detailName(path, localizer);
  const item = /allowancesCharges\[(\d+)\]\./.exec(path)?.[1];
  const name =
    label !== null && item !== undefined
      ? t("field-of-item", { field: label, kind: t("kind-of-item-any"), item: format.integer(Number(item) + 1) })
      : label;
  if (line === undefined) return name ?? path;
  const number = format.integer(Number(line) + 1);
  return name ? t("field-of-line", { field: name, line: number }) : t("line-number", { line: number });
}

/** The paths of the fields with an input, in the order of the form. */
export type FormFields = ReadonlyMap<string, number>;

const noLists: ListCounts = { allowances: 0, documents: 0, precedingDocuments: 0, otherPayments: 0, buyerIds: 0, lines: [] };

/** The inputs of a form with so many lines, in the order of the form: the language of the window first. They do not depend on what is typed. */
export function formFields(lineCount: number, corrects: boolean, language: Language, lists = noLists): FormFields {
  const texts = (path: string) => [`${path}.${language}`, `${path}.${language === "ar" ? "en" : "ar"}`];
  const cells = [...texts("description"), "quantity", "unit", "unitPrice", "taxCategory", "taxRate", "exemptionCode"];
  const paths = [
    ...(corrects ? ["correction.number", "correction.reason"] : []),
    "issueDate",
    "dueDate",
    "supplyDate",
    "currency",
    ...documentDetailPaths(lists),
    ...texts("buyer.name"),
    ...["taxId", "country", "building", "street", "district", "city", "postalCode"].map((name) => `buyer.${name}`),
    ...buyerDetailPaths(lists),
    ...Array.from({ length: lineCount }, (_, index) => [
      ...cells.map((cell) => `lines[${index}].${cell}`),
      ...lineDetailPaths(index, lists.lines[index]),
    ]).flat(),
    ...(language === "ar" ? ["noteAr", "note"] : ["note", "noteAr"]),
  ];
  return new Map(paths.map((path, index) => [path, index]));
}

/**
 * The field with an input for a content path: the field itself, else its first descendant, else its nearest ancestor.
 * `null` if there is none; the error then appears in the summary only. The core has mapped the path of the request.
 */
export function fieldFor(target: string, fields: FormFields): string | null {
  if (fields.has(target) || target === "lines") return target;
  for (const field of fields.keys()) if (field.startsWith(`${target}.`) || field.startsWith(`${target}[`)) return field;
  const parent = target.replace(/(?:\.[^.[\]]+|\[\d+\])$/, "");
  return parent === target || parent === "" ? null : fieldFor(parent, fields);
}

/** An error with its field and its localized message. */
export interface FieldError {
  /** Path of the field, or `null` if the form has none. */
  field: string | null;
  /** Label of the field, or the path in the request. */
  name: string;
  message: string;
}

/**
 * The field of a preceding document in a form that corrects none: its list begins with the first, where the core, which sees the path
 * alone, has put the first in the correction.
 */
function precedingField(target: string, fields: FormFields): string {
  if (fields.has("correction.number")) return target;
  const list = "details.precedingDocuments";
  const shifted = target.replace(/^details\.precedingDocuments\[(\d+)\]/, (_, index) => `${list}[${Number(index) + 1}]`);
  return shifted.replace(/^correction(?=\.number|\.issueDate)/, `${list}[0]`);
}

/** The field with an input that the path of a violation means in this form, or `null` if it has none. */
export function fieldOfViolation(path: string, fields: FormFields): string | null {
  return fieldFor(precedingField(path, fields), fields);
}

/** All violations in the order of the form. */
export function toFieldErrors(violations: readonly Violation[], fields: FormFields, localizer: Localizer): FieldError[] {
  const found = violations.map((violation): FieldError => {
    const field = violation.field === null ? null : fieldOfViolation(violation.field, fields);
    return {
      field,
      name: fieldName(field ?? violation.field ?? violation.path, localizer),
      message: ruleMessage(violation, localizer),
    };
  });
  return inFormOrder(found, fields);
}

/** Errors in the order of the form. Those without a field come last. */
export function inFormOrder(errors: readonly FieldError[], fields: FormFields): FieldError[] {
  const firstOfLines = [...fields.keys()].find((field) => field.startsWith("lines[")) ?? "note";
  const rank = ({ field }: FieldError) =>
    field === null ? fields.size : (fields.get(field === "lines" ? firstOfLines : field) ?? fields.size);
  return errors.toSorted((a, b) => rank(a) - rank(b));
}

/** Rules about numbers and dates that cannot be read at all. */
const UNREADABLE = new Set(["INV-AMBIGUOUS", "INV-NUMBER", "INV-DIGITS", "INV-DATE", "INV-TOO-LARGE"]);

/** The violations by texts that cannot be read, without that of the field in which somebody is typing. */
export function unreadable(violations: readonly Violation[], content: InvoiceContent, typing: string | null): Violation[] {
  return violations.filter(
    ({ rule, field }) => UNREADABLE.has(rule) && field !== null && field !== typing && getText(content, field) !== "",
  );
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

/** The field where typing begins: the first one of those that a clerk fills in, if it is empty; else the buyer. */
export function firstEmptyField(content: InvoiceContent, language: Language): string {
  const buyer = `buyer.name.${language}`;
  const typed = [
    ...(content.correction ? ["correction.reason"] : []),
    buyer,
    `lines[0].description.${language}`,
    "lines[0].unitPrice",
  ];
  return typed.find((path) => getText(content, path) === "") ?? buyer;
}

/** The first part of the issue date, with which every form begins: where the focus goes if nothing else in the form had it. */
export const FIRST_SEGMENT = '[data-field="issueDate"] [role="spinbutton"]';

/** Moves the focus into a field. */
export function focusField(path: string): void {
  // What concerns all lines is mended in their amounts.
  const target = (path === "lines" ? inputOf("lines[0].quantity") : null) ?? inputOf(path);
  target?.scrollIntoView({ block: "center" });
  target?.focus();
}

/**
 * The input of a field; of one that is gone, the first one of its entry in a list, as of its line; if that is gone too, the same field of the
 * entry before it, or what adds an entry.
 */
export function nearestInput(path: string): HTMLElement | null {
  const [, list, index, rest = ""] = /^(.*)\[(\d+)\]([^[\]]*)$/.exec(path) ?? [];
  if (list === undefined) return inputOf(path);
  const entry = document.querySelector<HTMLElement>(`[data-field^=${JSON.stringify(`${list}[${index}].`)}]`)?.dataset["field"];
  const shown = inputOf(path) ?? (entry === undefined ? null : inputOf(entry));
  const before = Number(index) - 1;
  return shown ?? nearestInput(before < 0 ? list : `${list}[${before}]${rest}`);
}

/** What takes the focus in a field. */
const FOCUSABLE = "input:not([type=hidden], [hidden], [tabindex='-1']), textarea, [role=spinbutton], button";

function inputOf(path: string): HTMLElement | null {
  return fieldElement(path)?.querySelector<HTMLElement>(FOCUSABLE) ?? null;
}

function fieldElement(path: string): Element | null {
  return document.querySelector(`[data-field=${JSON.stringify(path)}]`);
}
