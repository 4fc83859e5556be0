/** What is left to credit of the document that a credit note corrects, and a warning if the note comes to more. */

import { useQuery } from "@tanstack/react-query";
import { NumericText } from "../components/BidiText";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { isGreater } from "../invoices/decimal";
import type { Calculation, InvoiceContent } from "../ipc/bindings";
import { relationsQuery } from "../queries/relationQueries";
import { useWorkspace } from "../state/workspace";

export interface CreditLimitProps {
  content: InvoiceContent;
  calculation: Calculation | null;
}

/** An aid: without an answer of the service nothing is shown, and the service checks the limit itself. */
export function CreditLimit({ content, calculation }: CreditLimitProps) {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const key = content.kind === "creditNote" ? (content.correction?.key ?? "") : "";
  const { data } = useQuery({ ...relationsQuery(organization.id, key), enabled: key !== "" });
  if (!data || data.remaining === "") return null;
  const { remaining, currency } = data;
  const gross = calculation?.totals?.gross ?? "";
  const isTooMuch = content.currency === currency && gross !== "" && isGreater(gross, remaining);
  if (isTooMuch) {
    return (
      <Notice
        severity="warning"
        variant="card"
        text={t("credit-too-much", { sum: format.money(gross, currency), remaining: format.money(remaining, currency) })}
      />
    );
  }
  return (
    <p className="text-fg-2">
      {t("remaining-to-credit")} <NumericText className="font-semibold text-fg">{format.money(remaining, currency)}</NumericText>
    </p>
  );
}
