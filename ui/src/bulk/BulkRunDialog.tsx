/** A bulk run with the outcome of each document. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { Modal } from "../components/Modal";
import { Select } from "../components/Select";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { BulkOutcome, BulkResult, BulkRun } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { actionTexts } from "./actionTexts";
import { BulkProgress } from "./BulkProgress";
import { DocumentCells } from "./DocumentCells";
import { FailureText } from "./FailureText";
import { leftOf, runText } from "./runText";
import { SavingProblem, savingProblem } from "./SavingProblem";
import { SellerHint } from "./SellerHint";
import { isUnderWay } from "./useBulkRuns";
import { useRunCommands } from "./useRunCommands";

const PAGE = 100;

/** Of documents that need no look. */
const quietOutcomes: ReadonlySet<BulkOutcome["state"]> = new Set(["left", "done", "saved"]);

export interface BulkRunDialogProps {
  run: BulkRun;
  onOpen: (key: string) => void;
  onClose: () => void;
}

export function BulkRunDialog({ run, onOpen, onClose }: BulkRunDialogProps) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { organization } = useWorkspace();
  const actions = useRunCommands(run);
  const [shown, setShown] = useState<"failed" | "all" | null>(null);
  const [page, setPage] = useState(0);
  const view = shown ?? (run.failed > 0 ? "failed" : "all");
  const results = useQuery({
    queryKey: [organization.id, "bulk-results", run.id, view, page, run.done, run.failed] as const,
    queryFn: () =>
      withBinding(organization.id, (binding) => commands.bulkResults(binding, run.id, view === "failed", page * PAGE, PAGE)),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const total = results.data?.total ?? 0;
  const underWay = isUnderWay(run);
  const runError = savingProblem(run) === null ? run.error : null;
  const error = actions.error ?? runError ?? (results.error ? commandError(results.error) : null);
  const pages = useRef<HTMLDivElement>(null);
  const turnTo = (next: number) => {
    setPage(next);
    // The first failure changes what is shown by itself, and those results have no such page.
    setShown(view);
    // On the first page and on the last one, the button that led there is disabled.
    keepFocus(() => pages.current?.querySelector<HTMLElement>("button:not(:disabled)") ?? null);
  };
  const show = (next: "failed" | "all") => {
    setShown(next);
    setPage(0);
  };
  return (
    <Modal
      title={t(actionTexts[run.action].title)}
      width="lg"
      isOpen
      onClose={onClose}
      actions={
        <>
          {underWay && <Button onPress={actions.stop}>{t("bulk-stop")}</Button>}
          {run.state === "stopped" && run.changed === null && (
            <Button variant="primary" onPress={actions.resume}>
              {t("bulk-continue")}
            </Button>
          )}
          {!underWay && (
            <Button onPress={() => actions.close(onClose)}>{t(run.state === "finished" ? "bulk-done" : "bulk-leave")}</Button>
          )}
          {underWay && (
            <Button autoFocus onPress={onClose}>
              {t("bulk-background")}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {/* The line behind the dialog announces it. */}
        <p>{runText(run, localizer)}</p>
        <BulkProgress run={run} />
        {actions.retry && <RetryNotice retry={actions.retry} variant="inline" canStop={false} />}
        <dl className="flex flex-wrap gap-x-6 gap-y-1">
          <Count label={t("bulk-count-done")} value={format.integer(run.done)} />
          <Count label={t("bulk-count-failed")} value={format.integer(run.failed)} />
          <Count label={t("bulk-count-left")} value={format.integer(leftOf(run))} />
        </dl>
        {!run.durable && run.state !== "finished" && <p className="text-fg-2">{t("bulk-not-durable")}</p>}
        <SavingProblem run={run} variant="card" />
        {error && <ErrorNotice error={error} variant="card" />}
        {run.state !== "collecting" && run.changed === null && (
          <>
            <Select
              label={t("bulk-shown")}
              value={view}
              onChange={show}
              choices={[
                { id: "all", label: t("bulk-shown-all") },
                { id: "failed", label: t("bulk-shown-failed") },
              ]}
            />
            <SellerHint results={results.data?.results ?? []} />
            <ul aria-label={t("bulk-results")} className="bulk-results rounded-md border border-line">
              {results.data?.results.map((result) => (
                <ResultLine key={result.row.key} result={result} run={run} onOpen={() => onOpen(result.row.key)} />
              ))}
              {results.data?.total === 0 && (
                <li className="px-3 py-2 text-fg-2">
                  <span className="col-span-full">{t("bulk-no-results")}</span>
                </li>
              )}
            </ul>
            {total > PAGE && (
              <div ref={pages} className="flex items-center justify-between gap-3">
                <Button size="sm" isDisabled={page === 0} onPress={() => turnTo(page - 1)}>
                  {t("bulk-previous")}
                </Button>
                <span className="numeric text-fg-2">
                  {t("bulk-page", {
                    from: format.integer(page * PAGE + 1),
                    to: format.integer(Math.min(total, (page + 1) * PAGE)),
                    total: format.integer(total),
                  })}
                </span>
                <Button size="sm" isDisabled={(page + 1) * PAGE >= total} onPress={() => turnTo(page + 1)}>
                  {t("bulk-next")}
                </Button>
              </div>
            )}
          </>
        )}
      </div>
    </Modal>
  );
}

function Count({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex gap-2">
      <dt className="text-fg-2">{label}</dt>
      <dd className="numeric font-semibold">{value}</dd>
    </div>
  );
}

function ResultLine({ result, run, onOpen }: { result: BulkResult; run: BulkRun; onOpen: () => void }) {
  const { t, language } = useLocalizer();
  const { row, outcome } = result;
  const buyer = localizedText(row.buyer, language);
  return (
    <li className="border-line border-b px-3 py-1.5 last:border-b-0">
      <DocumentCells row={row} />
      <span className={quietOutcomes.has(outcome.state) ? "text-fg-2" : "text-danger"}>
        {outcome.state === "done"
          ? t(run.action === "issue" ? "status-issued" : "status-frozen")
          : outcome.state === "saved"
            ? t("bulk-outcome-saved", { file: outcome.file })
            : t(`bulk-outcome-${outcome.state}`)}
      </span>
      <Button size="sm" aria-label={t("bulk-open-of", { document: row.number || buyer })} onPress={onOpen}>
        {t("bulk-open")}
      </Button>
      {(outcome.state === "failed" || outcome.state === "fileNotSent") && (
        <FailureText error={outcome.error} number={row.number} />
      )}
    </li>
  );
}
