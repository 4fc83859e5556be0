/** A document that another one names: its number, date, status and amount, and the way to it. */

import { ChevronRight } from "lucide-react";
import { Button } from "react-aria-components";
import { NumericText, Separator } from "../components/BidiText";
import { StatusIcon } from "../components/InvoiceStatus";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { signedAmount } from "../invoices/rowText";
import type { RelatedDocument } from "../ipc/bindings";
import { useNavigation } from "../state/navigation";

export function RelatedDocumentRow({ document }: { document: RelatedDocument }) {
  const { openInvoice } = useNavigation();
  // One that the organization does not have is named without a link.
  if (document.status === null) {
    return (
      <li className="flex flex-wrap items-center gap-x-3 px-3 py-1.5">
        <Text document={document} />
      </li>
    );
  }
  return (
    <li>
      <Button
        data-related=""
        onPress={() => openInvoice(document.key)}
        className="flex min-h-10 w-full items-center gap-x-3 px-3 py-1.5 text-start outline-offset-[-2px] data-[hovered]:bg-sunken"
      >
        <Text document={document} />
        <ChevronRight size={15} aria-hidden="true" className="mirror-in-rtl shrink-0 text-fg-3" />
      </Button>
    </li>
  );
}

function Text({ document }: { document: RelatedDocument }) {
  const { t, format } = useLocalizer();
  const { number, kind, status, issueDate, currency, gross } = document;
  return (
    <>
      <span className="min-w-0 flex-1">
        <NumericText className="break-words font-semibold">{number}</NumericText>
        <span className="flex flex-wrap items-center text-2xs text-fg-2">
          <span className="numeric">{format.date(issueDate)}</span>
          {issueDate !== "" && <Separator />}
          {status === null ? (
            t("not-in-books")
          ) : (
            <>
              {t(`kind-${kind}`)}
              <Separator />
              <span className="inline-flex items-center gap-1">
                <StatusIcon status={status} />
                {t(`status-${status}`)}
              </span>
            </>
          )}
        </span>
      </span>
      {gross !== "" && <NumericText>{format.money(signedAmount({ kind }, gross), currency)}</NumericText>}
    </>
  );
}
