/** The drafts on this computer, by state: unreadable, unknown outcome, refused, waiting to be sent, being edited. */

import { useQuery } from "@tanstack/react-query";
import { CircleHelp, Clock, PencilLine, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { Button as AriaButton } from "react-aria-components";
import { NameText, NumericText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import { useInvoiceFiles } from "../import/invoiceFilesContext";
import { signedAmount } from "../invoices/rowText";
import type { DraftSummary } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { draftsQuery } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { RecurringNotice } from "../templates/RecurringNotice";
import { FilesWithoutDocument } from "./FilesWithoutDocument";
import { SimilarToDraft } from "./SimilarToDraft";
import { UnreadableDrafts } from "./UnreadableDrafts";
import { useNewDraft } from "./useNewDraft";
import { useOutcomeCheck } from "./useOutcomeCheck";

export function DraftsScreen() {
  const { t, language } = useLocalizer();
  const { organization } = useWorkspace();
  const { start, available } = useNewDraft(showWindowError);
  const { choose } = useInvoiceFiles();
  const drafts = useQuery({ ...draftsQuery(organization.id), refetchOnMount: "always" });
  const outcome = useOutcomeCheck();
  const retry = usePendingRetry(["outbox"]);
  const list = drafts.data ?? [];
  const unknown = list.filter(({ state }) => state === "unknownOutcome" || state === "waitingInDoubt");
  const waiting = list.filter(({ state }) => state === "waiting" || state === "sending");
  const refused = list.filter(({ state }) => state === "refused");
  const editing = list.filter(({ state }) => state === "editing");
  const screen = useRef<HTMLElement>(null);
  useFocusAfterRemoval(screen, (removed) => {
    const find = (selector: string) => screen.current?.querySelector<HTMLElement>(selector);
    // A draft that is sent from here moves to another list.
    const moved = removed.closest("[data-draft]")?.getAttribute("data-draft") ?? "";
    return find(`[data-draft="${moved}"] button`) ?? find("li button") ?? find("header button");
  });
  return (
    <section ref={screen} className="flex min-w-0 flex-1 flex-col">
      <header className="flex min-h-10 shrink-0 items-center border-line border-b px-3">
        <h1 className="flex-1 font-semibold text-md">{t("drafts")}</h1>
        <Button size="sm" variant="quiet" shortcut="importFile" onPress={choose}>
          {t("import-file")}
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-200 flex-col gap-5 p-4">
          {drafts.error && (
            <ErrorNotice error={commandError(drafts.error)} variant="card" handlers={{ tryNow: () => void drafts.refetch() }} />
          )}
          {outcome.error && <ErrorNotice error={outcome.error} variant="card" />}
          <UnreadableDrafts />
          <FilesWithoutDocument />
          <RecurringNotice />
          {drafts.data && list.length === 0 && (
            <div className="m-auto flex flex-col items-center gap-3 p-10 text-center">
              <PencilLine size={28} strokeWidth={1.25} aria-hidden="true" className="text-fg-3" />
              <p className="text-md">{t("no-drafts", { organization: organization.name })}</p>
              <p className="max-w-90 text-fg-2">{t("no-drafts-hint")}</p>
              {available && (
                <Button variant="primary" shortcut="newInvoice" onPress={() => start(null)}>
                  {t("new-invoice")}
                </Button>
              )}
            </div>
          )}
          {unknown.length > 0 && (
            <section aria-labelledby="unknown-title" className="flex flex-col gap-2">
              <h2 id="unknown-title" className="font-semibold">
                {t("unknown-outcomes")}
              </h2>
              <p className="text-fg-2">{t("error-unknown-outcome", { organization: organization.name })}</p>
              <ul className="rounded-md border border-warning/40 bg-warning-soft">
                {unknown.map((draft) => (
                  <li
                    key={draft.key}
                    data-draft={draft.key}
                    className="flex items-center gap-3 border-line border-b px-3 py-2 last:border-b-0"
                  >
                    <CircleHelp size={16} aria-hidden="true" className="shrink-0 text-warning" />
                    <DraftLine draft={draft} />
                    <Button
                      size="sm"
                      variant="primary"
                      isBusy={outcome.checking === draft.key}
                      aria-label={t("draft-check-of", { draft: localizedText(draft.buyer, language) || t("no-buyer-yet") })}
                      onPress={() => outcome.check(draft.key)}
                    >
                      {t("act-checkNow")}
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {refused.length > 0 && (
            <section aria-labelledby="refused-title" className="flex flex-col gap-2">
              <h2 id="refused-title" className="flex items-center gap-2 font-semibold">
                <TriangleAlert size={16} aria-hidden="true" className="shrink-0 text-warning" />
                {t("drafts-refused")}
              </h2>
              {refused.some(({ similar }) => similar.length === 0) && (
                <p className="text-fg-2">{t("drafts-refused-hint", { organization: organization.name })}</p>
              )}
              <DraftList label={t("drafts-refused")} drafts={refused} />
            </section>
          )}
          {waiting.length > 0 && (
            <section aria-labelledby="waiting-title" className="flex flex-col gap-2">
              <h2 id="waiting-title" className="flex items-center gap-2 font-semibold">
                <Clock size={16} aria-hidden="true" className="shrink-0 text-fg-2" />
                {t("drafts-waiting")}
              </h2>
              <p className="text-fg-2">{t("drafts-waiting-hint", { organization: organization.name })}</p>
              {retry && <RetryNotice retry={retry} variant="card" />}
              <DraftList label={t("drafts-waiting")} drafts={waiting} />
            </section>
          )}
          {editing.length > 0 && <DraftList label={t("drafts")} drafts={editing} />}
        </div>
      </div>
    </section>
  );
}

function DraftList({ label, drafts }: { label: string; drafts: readonly DraftSummary[] }) {
  const { navigate } = useNavigation();
  return (
    <ul aria-label={label} className="rounded-md border border-line bg-surface">
      {drafts.map((draft) => (
        <li key={draft.key} data-draft={draft.key} className="border-line border-b last:border-b-0">
          <AriaButton
            onPress={() => navigate({ name: "editor", draft: draft.key })}
            className="flex w-full items-center gap-3 rounded-md px-3 py-2 text-start data-[hovered]:bg-sunken"
          >
            <DraftLine draft={draft} />
          </AriaButton>
          {draft.state === "refused" && draft.similar.length > 0 && <SimilarToDraft draft={draft} />}
        </li>
      ))}
    </ul>
  );
}

function DraftLine({ draft }: { draft: DraftSummary }) {
  const { t, format, language } = useLocalizer();
  const buyer = localizedText(draft.buyer, language);
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          {buyer === "" ? <span className="text-fg-3">{t("no-buyer-yet")}</span> : <NameText>{buyer}</NameText>}
        </span>
        <span className="numeric block text-fg-2 text-xs">
          {draft.kind !== "invoice" && (
            <>
              {t(`kind-${draft.kind}`)}
              <Separator />
            </>
          )}
          {t("line-count", { count: draft.lines })}
          <Separator />
          {t("saved-at", { time: format.dateTime(draft.updated) })}
        </span>
      </span>
      <NumericText>{draft.gross === null ? "—" : format.money(signedAmount(draft, draft.gross), draft.currency)}</NumericText>
    </>
  );
}
