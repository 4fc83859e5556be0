/** Asks before a document is saved that may be a second one for the same sale. */

import { NumericText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { InvoiceStatusLabel } from "../components/InvoiceStatus";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { signedAmount } from "../invoices/rowText";
import type { SimilarDocuments as Similar } from "../ipc/bindings";
import { similarKeys } from "./similar";

export interface SimilarDocumentsProps {
  similar: Similar;
  onSave: () => void;
  onClose: () => void;
}

export function SimilarDocuments({ similar, onSave, onClose }: SimilarDocumentsProps) {
  const { t } = useLocalizer();
  return (
    <Modal
      title={t("similar-title", { count: similarKeys(similar).length })}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          {/* Enter, pressed once more than meant, must not make the second document. */}
          <Button autoFocus onPress={onClose}>
            {t("similar-back")}
          </Button>
          <Button onPress={onSave}>{t("similar-save")}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>{t("similar-hint")}</p>
        <SimilarList similar={similar} />
      </div>
    </Modal>
  );
}

/** The documents with number or status, date and total, and the drafts that wait to become documents. */
export function SimilarList({ similar: { documents, waiting, offline } }: { similar: Similar }) {
  const { t, format } = useLocalizer();
  const list = (
    <ul className="rounded-md border border-line-strong">
      {documents.map((row) => (
        <li key={row.key} className="flex flex-wrap items-baseline gap-x-3 border-line border-b px-3 py-2 last:border-b-0">
          <span className="min-w-0 flex-1">
            {row.number === "" ? t(`status-${row.status}`) : <NumericText className="font-semibold">{row.number}</NumericText>}
            <Separator />
            <span className="numeric">{format.date(row.issueDate)}</span>
          </span>
          <NumericText>{format.money(signedAmount(row, row.gross), row.currency)}</NumericText>
          <InvoiceStatusLabel row={row} />
        </li>
      ))}
      {waiting.map((draft) => (
        <li key={draft.key} className="flex flex-wrap items-baseline gap-x-3 border-line border-b px-3 py-2 last:border-b-0">
          <span className="min-w-0 flex-1">{t("drafts-waiting")}</span>
          <NumericText>{draft.gross === null ? "—" : format.money(signedAmount(draft, draft.gross), draft.currency)}</NumericText>
        </li>
      ))}
    </ul>
  );
  if (!offline) return list;
  return (
    <>
      {list}
      <p className="text-fg-2">{t("similar-offline")}</p>
    </>
  );
}
