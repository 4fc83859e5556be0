/** The codes of reasons and of means of payment, the reasons of exemptions by tax category, and short lists that are offered whole. */

import type { Choice } from "../../components/Select";
import type { Localizer } from "../../i18n/localizer";
import type { AllowanceChargeKind } from "../../ipc/bindings";
import {
  allowanceReasonCodes,
  chargeReasonCodes,
  exemptionCodes,
  paymentMeansCodes,
  saudiExemptionCodes,
} from "../../ipc/invoiceCodes";
import { type CodeList, noneChoice, textOf } from "../codeLists";

/** UNCL5189, the most common ones first. */
const ALLOWANCE_REASONS = [
  "95",
  "100",
  "41",
  "42",
  "60",
  "62",
  "63",
  "64",
  "65",
  "66",
  "67",
  "68",
  "70",
  "71",
  "88",
  "102",
  "103",
  "104",
  "105",
] as const;

/** The common ones of UNCL7161. */
const CHARGE_REASONS = [
  "FC",
  "DL",
  "ADT",
  "SAA",
  "PC",
  "ABL",
  "HD",
  "SH",
  "AAT",
  "LA",
  "CG",
  "TAC",
  "FI",
  "AA",
  "AAA",
  "AEO",
  "ADR",
  "ABK",
  "ZZZ",
] as const;

/** The common ones of UNCL4461. */
const PAYMENT_MEANS = ["30", "42", "10", "20", "48", "54", "55", "49", "58", "59", "57", "31", "68", "97", "1", "ZZZ"] as const;

/** Reasons of Saudi Arabia by category (ZATCA, XML implementation standard). */
const SAUDI_EXEMPTIONS: Readonly<Record<string, readonly string[]>> = {
  E: ["29", "29-7", "30"],
  Z: ["32", "33", "34-1", "34-2", "34-3", "34-4", "34-5", "35", "36", "EDU", "HEA", "MLTRY", "DUTYFREE", "DIPLOMAT"],
  O: ["OOS"],
};

/** Reasons of the VATEX list by category, without those of single countries. */
const EXEMPTIONS: Readonly<Record<string, readonly string[]>> = {
  E: [
    "79-C",
    "132",
    "132-1A",
    "132-1B",
    "132-1C",
    "132-1D",
    "132-1E",
    "132-1F",
    "132-1G",
    "132-1H",
    "132-1I",
    "132-1J",
    "132-1K",
    "132-1L",
    "132-1M",
    "132-1N",
    "132-1O",
    "132-1P",
    "132-1Q",
    "135-1",
    "143",
    "144",
    "146-1E",
    "148",
    "151",
    "153",
    "159",
    "309",
    "D",
    "F",
    "I",
    "J",
  ],
  AE: ["AE"],
  G: ["G"],
  K: ["IC"],
  O: ["O"],
};

/** The exemption reasons of a category, by the country of the seller. */
export function exemptionList(category: string, country: string): CodeList {
  const isSaudi = country === "SA";
  return {
    common: isSaudi
      ? (SAUDI_EXEMPTIONS[category] ?? []).map((code) => `VATEX-SA-${code}`)
      : (EXEMPTIONS[category] ?? []).map((code) => `VATEX-EU-${code}`),
    all: isSaudi ? (saudiExemptionCodes[category] ?? "") : exemptionCodes,
    nameOf: (code, localizer) => textOf(`exemption-${code.replace("VATEX-", "")}`, localizer),
    // Where the rules have no list (BR-CL-22), as in the Emirates, any code is accepted.
    others: isSaudi ? undefined : /^[0-9A-Z][0-9A-Z().-]*$/,
  };
}

const allowanceReasonList: CodeList = {
  common: ALLOWANCE_REASONS,
  all: allowanceReasonCodes,
  nameOf: (code, localizer) => textOf(`allowance-reason-${code}`, localizer),
};

const chargeReasonList: CodeList = {
  common: CHARGE_REASONS,
  all: chargeReasonCodes,
  nameOf: (code, localizer) => textOf(`charge-reason-${code}`, localizer),
};

export function reasonList(kind: AllowanceChargeKind): CodeList {
  return kind === "allowance" ? allowanceReasonList : chargeReasonList;
}

export const paymentMeansList: CodeList = {
  common: PAYMENT_MEANS,
  all: paymentMeansCodes,
  nameOf: (code, localizer) => textOf(`payment-means-${code}`, localizer),
};

/** Identifiers of a buyer in Saudi Arabia (BR-KSA-14). */
const IDENTIFIER_SCHEMES = ["CRN", "NAT", "IQA", "700", "TIN", "MOM", "MLS", "SAG", "GCC", "PAS", "OTH"] as const;

export function identifierSchemeChoices(current: string, localizer: Localizer): Choice<string>[] {
  const choices = withCurrent(IDENTIFIER_SCHEMES, current, localizer, (code) => localizer.t(`scheme-${code}`));
  return choices.filter(({ id }) => id !== "");
}

/** A scheme in words, if it is one of those of Saudi Arabia; else its code. */
export function identifierSchemeText(code: string, { t }: Localizer): string {
  const known = IDENTIFIER_SCHEMES.find((scheme) => scheme === code);
  return known ? t(`scheme-${known}`) : code;
}

/** KSA-2. Without one it follows from the buyer. */
export function subtypeChoices({ t }: Localizer): Choice<string>[] {
  return [
    { id: "", label: t("subtype-automatic") },
    { id: "STANDARD", label: t("subtype-STANDARD") },
    { id: "SIMPLIFIED", label: t("subtype-SIMPLIFIED") },
  ];
}

/** UNTDID 2005, as EN 16931 restricts it. */
const TAX_POINTS = ["3", "35", "432"] as const;

export function taxPointChoices(current: string, localizer: Localizer): Choice<string>[] {
  return withCurrent(TAX_POINTS, current, localizer, (code) => localizer.t(`tax-point-${code}`));
}

/** The codes with their words, before them none at all, and the current code if it is another one. */
function withCurrent<Code extends string>(
  codes: readonly Code[],
  current: string,
  localizer: Localizer,
  words: (code: Code) => string,
): Choice<string>[] {
  const other = current !== "" && !(codes as readonly string[]).includes(current);
  return [
    noneChoice(localizer),
    ...(other ? [{ id: current, label: current }] : []),
    ...codes.map((code) => ({ id: code, label: words(code), detail: code })),
  ];
}
