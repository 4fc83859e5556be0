/** What a document has to do with others, in its detail: what it corrects, its credit and debit notes, and what is left to credit. */

import { useQuery } from "@tanstack/react-query";
import { NameText, NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { useCommand } from "../components/commands";
import { LoadingText } from "../components/LoadingText";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { debitNoteContent } from "../invoices/derivedContent";
import type { Correction, DocumentRelations, InvoiceView, RelatedDocument } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { relationsQuery } from "../queries/relationQueries";
import { useWorkspace } from "../state/workspace";
import { RelatedDocumentRow } from "./RelatedDocumentRow";

/** Whether a document can have relations: it has a number, or it corrects another one. */
export function hasRelations({ row, content }: InvoiceView): boolean {
  return content.correction !== null || row.status === "issued" || row.status === "frozen";
}

export function RelationsSection({ view }: { view: InvoiceView }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { start, offered, busy, error: draftError } = useNewDraft();
  const { row, content } = view;
  const query = useQuery(relationsQuery(organization.id, row.key));
  const error = query.error && commandError(query.error);
  const canBeCorrected = row.kind === "invoice" && (row.status === "issued" || row.status === "frozen");
  // A role that may not read relations sees the document without them.
  if (error?.kind === "permissionDenied" && content.correction === null) return null;
  return (
    <section aria-labelledby="section-relations" className="mt-4 flex flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h3 id="section-relations" className="flex-1 font-semibold">
          {t("section-relations")}
        </h3>
        {canBeCorrected && offered && <DebitNoteButton busy={busy} onPress={() => void start(debitNoteContent(view))} />}
      </div>
      {draftError && <ErrorNotice error={draftError} variant="inline" />}
      {query.data ? (
        <Relations relations={query.data} correction={content.correction} />
      ) : (
        <>
          {content.correction && <Named documents={[named(content.correction)]} label={t("corrects")} />}
          {error ? (
            error.kind !== "permissionDenied" && (
              <ErrorNotice error={error} variant="inline" handlers={{ tryNow: () => void query.refetch() }} />
            )
          ) : (
            <LoadingText />
          )}
        </>
      )}
    </section>
  );
}

/** The button, and the command of the palette as long as there is the button. */
function DebitNoteButton({ busy, onPress }: { busy: boolean; onPress: () => void }) {
  const { t } = useLocalizer();
  useCommand("debitNote", "debit-note", () => {
    if (!busy) onPress();
  });
  return (
    <Button size="sm" isBusy={busy} onPress={onPress}>
      {t("debit-note")}
    </Button>
  );
}

function Relations({ relations, correction }: { relations: DocumentRelations; correction: Correction | null }) {
  const { t, format } = useLocalizer();
  const { originals, notes, debitNotes, remaining, currency } = relations;
  return (
    <div className="rounded-md border border-line-strong bg-surface">
      {originals.length > 0 && <Named documents={originals} label={t("corrects")} />}
      {correction && correction.reason !== "" && (
        <p className="flex flex-wrap justify-between gap-x-3 border-line border-b px-3 py-2 last:border-b-0">
          <span className="text-fg-2">{t("field-reason")}</span>
          <NameText className="min-w-0 break-words">{correction.reason}</NameText>
        </p>
      )}
      {notes.length > 0 && <Named documents={notes} label={t("corrected-by")} />}
      {debitNotes.length > 0 && <Named documents={debitNotes} label={t("debited-by")} />}
      {remaining !== "" && (
        <p className="flex flex-wrap justify-between gap-x-3 border-line border-b px-3 py-2 last:border-b-0">
          <span className="text-fg-2">{t(notes.length === 0 ? "not-credited" : "remaining-to-credit")}</span>
          {notes.length > 0 && <NumericText className="font-semibold">{format.money(remaining, currency)}</NumericText>}
        </p>
      )}
      {originals.length === 0 && notes.length === 0 && debitNotes.length === 0 && remaining === "" && (
        <p className="px-3 py-2 text-fg-2">{t("no-relations")}</p>
      )}
    </div>
  );
}

function Named({ documents, label }: { documents: readonly RelatedDocument[]; label: string }) {
  return (
    <div className="border-line border-b last:border-b-0">
      <p className="px-3 pt-2 text-2xs text-fg-2">{label}</p>
      <ul aria-label={label}>
        {documents.map((document) => (
          <RelatedDocumentRow key={`${document.key} ${document.number}`} document={document} />
        ))}
      </ul>
    </div>
  );
}

/** What a note says of its original, while the service has not answered. */
function named({ number, issueDate }: Correction): RelatedDocument {
  return { key: "", number, kind: "invoice", status: null, issueDate, currency: "", gross: "" };
}
