/** Detail pane of an invoice: status, amounts, dates, tax, lines and actions. */

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Suspense, useEffect, useRef } from "react";
import { NameText, NumericText, Separator } from "../components/BidiText";
import { IconButton } from "../components/Button";
import { StatusIcon } from "../components/InvoiceStatus";
import { isViewFocused } from "../components/keepFocus";
import { lazyComponent } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { RetryNotice } from "../errors/RetryNotice";
import { quietLines } from "../errors/table";
import { useKeptRetry, usePendingRetry } from "../errors/usePendingRetry";
import { authorText } from "../history/authorText";
import { HistorySection } from "../history/HistorySection";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import { taxName, taxRateText } from "../i18n/taxText";
import type { CurrencySum, InvoiceView } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { CopyLinkButton } from "../links/CopyLinkButton";
import { hasPayments, PaymentsSection } from "../payments/PaymentsSection";
import { invoiceQuery } from "../queries/invoiceQuery";
import { hasRelations, RelationsSection } from "../relations/RelationsSection";
import { useWorkspace } from "../state/workspace";
import { ExplainAmounts } from "./ExplainAmounts";
import { InvoiceActions } from "./InvoiceActions";
import { OfflineAge } from "./OfflineAge";
import { signedAmount } from "./rowText";
import { ShowBothButton } from "./ShowBothButton";
import { useRefetchOnReconnect } from "./useRefetchOnReconnect";

const AttachmentsSection = lazyComponent(async () => (await import("../attachments/AttachmentsSection")).AttachmentsSection);
const ListSums = lazyComponent(async () => (await import("./ListSums")).ListSums);
const MoreFacts = lazyComponent(async () => (await import("./MoreFacts")).MoreFacts);
const RememberedDetails = lazyComponent(async () => (await import("../parties/RememberedDetails")).RememberedDetails);
const SubmissionSection = lazyComponent(async () => (await import("../submissions/SubmissionSection")).SubmissionSection);

export interface InvoiceDetailProps {
  invoice: string | null;
  /** Of the list. They are shown while there is no document to show. */
  sums: readonly CurrencySum[];
  /** Overlays the list in a narrow window. */
  slidesOver: boolean;
  takesFocus: boolean;
  onClose: () => void;
}

export function InvoiceDetail({ invoice, sums, slidesOver, takesFocus, onClose }: InvoiceDetailProps) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const query = useQuery({ ...invoiceQuery(organization.id, invoice ?? ""), enabled: invoice !== null });
  const error = query.error && commandError(query.error);
  const retry = useKeptRetry(usePendingRetry(["get_invoice"]), query.isFetching);
  useRefetchOnReconnect(typeof query.data?.offlineAsOf === "string", () => void query.refetch());
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (invoice === null) return;
    if (takesFocus) pane.current?.focus();
    // What had the focus may be gone: the document that led to this one, or the form whose steps are not done. A list that is moved through
    // keeps it: its next key would do the step.
    else if (!isViewFocused()) (pane.current?.querySelector<HTMLElement>("[data-finish]") ?? pane.current)?.focus();
  }, [takesFocus, invoice]);
  // As the button of a notice that has done its work.
  useFocusAfterRemoval(pane, () => (invoice === null ? null : pane.current));
  useShortcut("close", onClose, invoice !== null);
  const layoutClasses = slidesOver
    ? "fade-in absolute inset-y-0 end-0 z-10 w-full max-w-100 border-line-strong border-s"
    : "w-95 shrink-0 border-line border-s";
  return (
    <aside
      ref={pane}
      data-detail=""
      tabIndex={-1}
      aria-label={t("detail")}
      className={`flex flex-col bg-canvas outline-none ${layoutClasses}`}
    >
      {invoice === null && (
        <Suspense>
          <ListSums sums={sums} />
        </Suspense>
      )}
      {invoice !== null && !query.data && (
        <div className="flex min-h-0 flex-1 flex-col">
          <div className="flex justify-end p-2">
            <IconButton label={t("close")} icon={<X size={16} aria-hidden="true" />} onPress={onClose} />
          </div>
          {error ? (
            <ErrorNotice error={error} variant="page" handlers={{ backToList: onClose, tryNow: () => void query.refetch() }} />
          ) : retry ? (
            <RetryNotice retry={retry} variant="page" />
          ) : (
            <p role="status" className="m-auto text-fg-2">
              {t("loading")}
            </p>
          )}
        </div>
      )}
      {/* What is shown may not be true any more. An ended session already has a banner of its own. */}
      {query.data && error && error.kind !== "sessionEnded" && (
        <ErrorNotice error={error} variant="banner" handlers={{ backToList: onClose, tryNow: () => void query.refetch() }} />
      )}
      {query.data && <Detail view={query.data} onClose={onClose} />}
    </aside>
  );
}

function Detail({ view, onClose }: { view: InvoiceView; onClose: () => void }) {
  const localizer = useLocalizer();
  const { t, format, language } = localizer;
  const { row, content } = view;
  const amount = (value: string) => format.amount(signedAmount(row, value), row.currency);
  return (
    <>
      <header className="shrink-0 border-line border-b bg-surface p-4">
        <div className="flex items-start gap-2">
          <StatusLine view={view} />
          <CopyLinkButton document={row.key} />
          <IconButton label={t("close")} icon={<X size={16} aria-hidden="true" />} onPress={onClose} />
        </div>
        <p className="pt-1">
          <NumericText className="font-semibold text-lg">
            {format.money(signedAmount(row, view.payable === "" ? row.gross : view.payable), row.currency)}
          </NumericText>
        </p>
        <h2 className="text-fg-2">
          {row.number === "" ? t(`kind-${row.kind}`) : <NumericText>{row.number}</NumericText>}
          <Separator />
          <NameText>{localizedText(row.buyer, language)}</NameText>
        </h2>
      </header>
      {view.draftLeft && <Notice severity="info" variant="banner" text={t("draft-left")} />}
      {view.offlineAsOf !== null && <OfflineAge asOf={view.offlineAsOf} />}
      {/* It scrolls by keyboard also where nothing in it takes the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="min-h-0 flex-1 overflow-y-auto p-4" data-selectable="" tabIndex={0} role="group" aria-label={t("detail")}>
        {view.merged && (
          <div className="pb-3">
            <Notice
              severity="info"
              variant="inline"
              text={t(quietLines.merged.message, { number: row.number || t("this-document") })}
              buttons={<ShowBothButton merged={view.merged} content={content} />}
            />
          </div>
        )}
        {view.createdEarlier && (
          <div className="pb-3">
            <Notice
              severity="info"
              variant="inline"
              text={t(quietLines.createdEarlier.message, { number: row.number || t("this-document") })}
            />
          </div>
        )}
        <Suspense>
          <RememberedDetails documentKey={row.key} />
        </Suspense>
        {row.status !== "draft" && (
          <Suspense>
            <SubmissionSection row={row} />
          </Suspense>
        )}
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
          <Fact label={t("column-issued")} value={format.date(row.issueDate)} />
          <Fact label={t("column-due")} value={row.dueDate === "" ? "—" : format.date(row.dueDate)} />
          {content.supplyDate !== "" && <Fact label={t("field-supply-date")} value={format.date(content.supplyDate)} />}
          {content.buyer.taxId !== "" && <Fact label={t("field-tax-id")} value={content.buyer.taxId} numeric />}
          <Fact label={t("net")} value={amount(row.net)} numeric />
          {view.taxBreakdown.map((tax) => (
            <Fact key={`${tax.category} ${tax.rate}`} label={taxName(tax, localizer)} value={amount(tax.tax)} numeric />
          ))}
          <div className="contents font-semibold">
            <dt>{t("payable")}</dt>
            <dd className="amount-column">
              <NumericText>{format.money(signedAmount(row, view.payable), row.currency)}</NumericText>
            </dd>
          </div>
        </dl>
        <ExplainAmounts view={view} />
        <ul aria-label={t("section-lines")} className="mt-4 rounded-md border border-line-strong bg-surface">
          {content.lines.map((line, index) => (
            // Lines have no id, and those of a document that is only shown do not move.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="border-line border-b px-3 py-2 last:border-b-0">
              <div className="flex justify-between gap-3">
                <NameText className="min-w-0 break-words">{localizedText(line.description, language)}</NameText>
                <NumericText>{amount(view.lines[index]?.net ?? "")}</NumericText>
              </div>
              {/* Each number is isolated: Arabic-Indic digits would reorder the separators between them. */}
              <p className="text-2xs text-fg-2">
                <NumericText>{format.decimal(line.quantity)}</NumericText>
                {" × "}
                <NumericText>{format.amount(line.unitPrice, row.currency)}</NumericText>
                <Separator />
                <bdi>{taxRateText({ category: line.taxCategory, rate: line.taxRate }, localizer)}</bdi>
              </p>
            </li>
          ))}
        </ul>
        <Suspense>
          <MoreFacts content={content} />
        </Suspense>
        <div className="mt-4">
          <Suspense>
            <AttachmentsSection document={row.key} stamp={row.stamp} />
          </Suspense>
        </div>
        {[content.note, content.noteAr].map(
          (note, index) =>
            note !== "" && (
              <p key={index === 0 ? "note" : "noteAr"} dir="auto" className="mt-4 whitespace-pre-line text-fg-2">
                {note}
              </p>
            ),
        )}
        {hasPayments(row) && <PaymentsSection row={row} />}
        {hasRelations(view) && <RelationsSection view={view} />}
        <HistorySection documentKey={row.key} />
      </div>
      <InvoiceActions view={view} onClose={onClose} />
    </>
  );
}

function StatusLine({ view }: { view: InvoiceView }) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { row } = view;
  const event = view[row.status === "frozen" ? "frozen" : row.status === "issued" ? "issued" : "updated"];
  return (
    <p className="flex min-h-7 min-w-0 flex-1 items-center gap-1.5 text-xs">
      <StatusIcon status={row.status} />
      <span className="max-w-full shrink-0 truncate">
        {event
          ? t("status-since", { status: t(`status-${row.status}`), time: format.dateTime(event.time) })
          : t(`status-${row.status}`)}
      </span>
      {event && event.by !== "" && (
        <span className="-ms-1.5 flex min-w-0 items-center text-fg-2">
          <Separator />
          <NameText className="min-w-0 truncate">{authorText(event.by, localizer)}</NameText>
        </span>
      )}
    </p>
  );
}

function Fact({ label, value, numeric = false }: { label: string; value: string; numeric?: boolean }) {
  return (
    <div className="contents">
      <dt className="text-fg-2">{label}</dt>
      <dd className="amount-column numeric min-w-0 break-words">{numeric ? <NumericText>{value}</NumericText> : value}</dd>
    </div>
  );
}
