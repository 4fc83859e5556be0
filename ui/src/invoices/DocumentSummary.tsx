/** The organization, document, buyer and total that a confirmation is about. */

import { NameText, NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { InvoiceKind, LocalizedText } from "../ipc/bindings";
import { OrganizationCard } from "./OrganizationCard";
import { signedAmount } from "./rowText";

export interface DocumentSummaryProps {
  /** `number` is empty while it is a draft. `gross` is empty if it is not known. */
  document: { kind: InvoiceKind; number: string; buyer: LocalizedText; gross: string; currency: string };
}

export function DocumentSummary({ document }: DocumentSummaryProps) {
  const { t, format, language } = useLocalizer();
  const { kind, number, buyer, gross, currency } = document;
  return (
    <OrganizationCard>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 p-3">
        <dt className="text-fg-2">{t(`kind-${kind}`)}</dt>
        <dd>{number === "" ? t("number-pending") : <NumericText className="font-semibold">{number}</NumericText>}</dd>
        <dt className="text-fg-2">{t("column-buyer")}</dt>
        <dd className="min-w-0 break-words">
          <NameText>{localizedText(buyer, language)}</NameText>
        </dd>
        <dt className="text-fg-2">{t("column-gross")}</dt>
        <dd>
          <NumericText className="font-semibold">{format.money(signedAmount({ kind }, gross), currency)}</NumericText>
        </dd>
      </dl>
    </OrganizationCard>
  );
}
