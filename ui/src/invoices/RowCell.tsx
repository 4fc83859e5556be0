/** One cell of the invoice list. */

import { Suspense } from "react";
import { NameText, NumericText } from "../components/BidiText";
import { InvoiceStatusLabel } from "../components/InvoiceStatus";
import { lazyComponent } from "../components/lazyComponent";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { Localizer } from "../i18n/localizer";
import type { InvoiceRow, SubmissionState } from "../ipc/bindings";
import type { ColumnName } from "../listSettings/columns";
import { decimalPadding, signedAmount } from "./rowText";

/** Most organizations have no tax authority, and the first screen is loaded without it. */
const SubmissionChip = lazyComponent(async () => (await import("../submissions/SubmissionChip")).SubmissionChip);

export interface RowCellProps {
  row: InvoiceRow;
  name: ColumnName;
  /** Whether the kind stands beside the buyer. */
  withKind: boolean;
  /** Whether an answer of the tax authority that somebody has to look at stands beside the status. */
  withSubmission: boolean;
  /** Most digits after the point of the currencies in the list. */
  fractionDigits: number;
  /** The date of today in the time zone of the organization. */
  today: string;
}

function submissionText(state: SubmissionState, hasWarnings: boolean, t: Localizer["t"]): string {
  const text = t(`submission-state-${state}`);
  return hasWarnings ? t("submission-state-with-remarks", { state: text }) : text;
}

export function RowCell({ row, name, withKind, withSubmission, fractionDigits, today }: RowCellProps) {
  const { language, format, t } = useLocalizer();
  switch (name) {
    case "number":
      return (
        <div role="gridcell" data-column={name} className="truncate text-fg-2">
          {row.number === "" ? <span className="text-fg-3">—</span> : <NumericText>{row.number}</NumericText>}
        </div>
      );
    case "buyer":
      return (
        <div role="gridcell" data-column={name} className="flex min-w-0 items-center gap-2">
          <NameText className="min-w-0 truncate">{localizedText(row.buyer, language)}</NameText>
          {withKind && row.kind !== "invoice" && (
            <span className="shrink-0 rounded-sm border border-line-strong px-1 text-2xs text-fg-2">{t(`kind-${row.kind}`)}</span>
          )}
        </div>
      );
    case "kind":
      return (
        <div role="gridcell" data-column={name} className="truncate text-fg-2">
          {t(`kind-${row.kind}`)}
        </div>
      );
    case "issueDate":
      return (
        <div role="gridcell" data-column={name} className="numeric truncate text-fg-2">
          {format.shortDate(row.issueDate, today)}
        </div>
      );
    case "dueDate":
      return (
        <div role="gridcell" data-column={name} className="numeric truncate text-fg-2">
          {row.dueDate === "" ? "—" : format.shortDate(row.dueDate, today)}
        </div>
      );
    case "net":
    case "tax":
    case "gross":
      return (
        <div role="gridcell" data-column={name} className={`amount-column truncate ${name === "gross" ? "" : "text-fg-2"}`}>
          <NumericText>
            {format.money(signedAmount(row, row[name]), row.currency) + decimalPadding(row.currency, fractionDigits)}
          </NumericText>
        </div>
      );
    case "open":
      return (
        <div role="gridcell" data-column={name} className="amount-column truncate text-fg-2">
          {/* It has its sign already, and is empty where nothing can be open, as of a draft. */}
          {row.open !== "" && (
            <NumericText>{format.money(row.open, row.currency) + decimalPadding(row.currency, fractionDigits)}</NumericText>
          )}
        </div>
      );
    case "status": {
      const submission = withSubmission ? row.submission : null;
      return (
        <div role="gridcell" data-column={name} className={`min-w-0 ${submission === null ? "" : "flex items-center gap-1.5"}`}>
          <InvoiceStatusLabel row={row} />
          {submission !== null && (
            <Suspense>
              <SubmissionChip state={submission} hasWarnings={row.hasWarnings === true} />
            </Suspense>
          )}
        </div>
      );
    }
    case "submission":
      return (
        <div role="gridcell" data-column={name} className="truncate text-fg-2">
          {row.submission === null ? (
            <span className="text-fg-3">—</span>
          ) : (
            submissionText(row.submission, row.hasWarnings === true, t)
          )}
        </div>
      );
  }
}
