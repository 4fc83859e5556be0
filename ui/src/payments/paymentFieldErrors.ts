/** The violations of a payment at the fields of its dialog. */

import { ruleMessage } from "../editor/fields";
import type { Localizer } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";

const FIELDS = new Set(["amount", "date", "means", "reference"]);

export function paymentFieldErrors(error: CommandError | null, localizer: Localizer): Record<string, string[]> {
  if (error?.kind !== "invalidArgument") return {};
  const fields: Record<string, string[]> = {};
  for (const violation of error.violations) {
    const field = /^payment\.(\w+)$/.exec(violation.path)?.[1] ?? "";
    if (!FIELDS.has(field)) return {};
    (fields[field] ??= []).push(messageOf(field, violation.rule, localizer) ?? ruleMessage(violation, localizer));
  }
  return fields;
}

function messageOf(field: string, rule: string, { t }: Localizer): string | null {
  if (rule !== "") return null;
  if (field === "amount") return t("payment-amount-invalid");
  return field === "date" ? t("payment-date-invalid") : null;
}
