/** The details of a tenant as the seller of its documents, in forms: its registration number and its address. */

import { identifierSchemeText } from "../editor/details/reasonCodes";
import type { Localizer } from "../i18n/localizer";
import type { AddressFields, IdentifierContent, OwnTenantFields, TenantView } from "../ipc/bindings";
import type { FormPart } from "./formMerge";
import { type FieldMessage, messageOfField } from "./refusals";

/** The parts of an address with their labels, in the order of a form. */
export const ADDRESS = [
  ["building", "tenant-building"],
  ["street", "tenant-street"],
  ["district", "tenant-district"],
  ["city", "tenant-city"],
  ["postalCode", "tenant-postal-code"],
] as const satisfies readonly (readonly [keyof AddressFields, string])[];

/** The schemes of registration numbers in Saudi Arabia, the most common one first (BR-KSA-08). */
export const REGISTRATION_SCHEMES = ["CRN", "700", "MOM", "MLS", "SAG", "OTH"] as const;

const NO_NUMBER: IdentifierContent = { scheme: "", value: "" };

/** Those of a tenant that has none yet. */
export const NO_DETAILS: OwnTenantFields = {
  registrationNumber: NO_NUMBER,
  address: { building: "", street: "", district: "", city: "", postalCode: "" },
};

/** Whether sellers in a country have a registration number here. */
export function hasRegistrationNumber(country: string): boolean {
  return country === "SA";
}

/** The registration number that a form begins with: without one, its scheme is the most common one. */
export function numberOfForm(number: IdentifierContent): IdentifierContent {
  return number.value === "" ? { scheme: REGISTRATION_SCHEMES[0], value: "" } : number;
}

/** The registration number that a form sends: without a value there is no scheme. */
export function numberToSend({ scheme, value }: IdentifierContent, country: string): IdentifierContent {
  const typed = value.trim();
  return typed === "" || !hasRegistrationNumber(country) ? NO_NUMBER : { scheme, value: typed };
}

/** A registration number in words; empty if there is none. */
export function registrationNumberText({ scheme, value }: IdentifierContent, localizer: Localizer): string {
  return value === "" ? "" : `${identifierSchemeText(scheme, localizer)}: ${value}`;
}

/** Whether something is missing without which the country of a tenant lets it issue nothing (BR-KSA-08, BR-KSA-09). */
export function isIncomplete({ fields: { registrationNumber, address }, country }: TenantView): boolean {
  return hasRegistrationNumber(country) && [registrationNumber.value, ...Object.values(address)].includes("");
}

type DigitForm = readonly [count: number, first: string, rule: string];

/**
 * Registration numbers, by their schemes, and parts of an address that have digits alone: how many, what they begin with, and the rule that
 * says so. A test of the rules compares them.
 */
const DIGIT_FORMS: ReadonlyMap<string, DigitForm> = new Map<string, DigitForm>([
  ["CRN", [10, "", "BR-KSA-F-08"]],
  ["700", [10, "7", "BR-KSA-F-09"]],
  ["building", [4, "", "BR-KSA-37"]],
  ["postalCode", [5, "", "BR-KSA-66"]],
]);

const DIGITS = /^[0-9]+$/;
/** Registration numbers of the other schemes (BR-KSA-08). */
const LETTERS_AND_DIGITS = /^[0-9A-Za-z]+$/;

/** The rule that a value breaks: of a registration number with a scheme, or of a part of an address. */
function brokenRule(of: string, value: string): string | null {
  const form = DIGIT_FORMS.get(of);
  if (!form) return LETTERS_AND_DIGITS.test(value) ? null : "BR-KSA-08";
  const [count, first, rule] = form;
  return value.length === count && DIGITS.test(value) && value.startsWith(first) ? null : rule;
}

/**
 * What is wrong with the form of stored details, by the names of their fields, in the words for what the service refuses. Those that were
 * stored before it checked them stay: it checks what is changed (decision 0184).
 */
export function malformedDetails({ registrationNumber, address }: OwnTenantFields, country: string): Map<string, FieldMessage> {
  const found = new Map<string, FieldMessage>();
  if (!hasRegistrationNumber(country)) return found;
  const check = (name: string, of: string, value: string) => {
    const rule = value === "" ? null : brokenRule(of, value);
    const message = rule === null ? undefined : messageOfField(name, rule);
    if (message) found.set(name, message);
  };
  check("registrationNumber.value", registrationNumber.scheme, registrationNumber.value);
  check("address.building", "building", address.building);
  check("address.postalCode", "postalCode", address.postalCode);
  return found;
}

/** The parts of a form with such details. `of` are those of a form, and `change` is a form with others. */
export function detailParts<F>(
  localizer: Localizer,
  of: (form: F) => OwnTenantFields,
  change: (form: F, details: Partial<OwnTenantFields>) => F,
): FormPart<F>[] {
  const { t } = localizer;
  const number: FormPart<F> = {
    label: t("tenant-registration-number"),
    words: (form) => registrationNumberText(of(form).registrationNumber, localizer),
    take: (form, from) => change(form, { registrationNumber: of(from).registrationNumber }),
  };
  const lines = ADDRESS.map(
    ([line, label]): FormPart<F> => ({
      label: t(label),
      words: (form) => of(form).address[line],
      take: (form, from) => change(form, { address: { ...of(form).address, [line]: of(from).address[line] } }),
    }),
  );
  return [number, ...lines];
}
