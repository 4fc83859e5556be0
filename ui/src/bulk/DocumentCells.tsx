/** The first cells of a document in the results of a bulk run and of its check: number, buyer and amount. */

import { NameText, NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import { signedAmount } from "../invoices/rowText";
import type { BulkResult } from "../ipc/bindings";

export function DocumentCells({ row }: Pick<BulkResult, "row">) {
  const { format, language } = useLocalizer();
  return (
    <>
      <span className="text-fg-2">{row.number === "" ? "—" : <NumericText>{row.number}</NumericText>}</span>
      <NameText className="min-w-0 truncate max-narrow:min-w-24 max-narrow:flex-1">{localizedText(row.buyer, language)}</NameText>
      <span className="amount-column">
        <NumericText>{format.money(signedAmount(row, row.gross), row.currency)}</NumericText>
      </span>
    </>
  );
}
