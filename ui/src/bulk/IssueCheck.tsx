/** What the service would refuse of the documents of a bulk run, while it is found out and before anything is issued. */

import { useRef } from "react";
import { Button } from "../components/Button";
import { useAnnouncement } from "../components/useAnnouncement";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { BulkResult, DocumentSelection } from "../ipc/bindings";
import { DocumentCells } from "./DocumentCells";
import { FailureText } from "./FailureText";
import { SellerHint } from "./SellerHint";
import { type IssueCheck as Check, useIssueCheck } from "./useIssueCheck";

/** `count` is how many documents the run is about. */
export function IssueCheck({ selection, count }: { selection: DocumentSelection; count: number }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const check = useIssueCheck(selection);
  const { refused, isRunning, error } = check;
  const text = checkText(check, count, localizer);
  useAnnouncement(isRunning ? null : text);
  const section = useRef<HTMLDivElement>(null);
  // The button that stops the check goes with it.
  useFocusAfterRemoval(section, () =>
    section.current?.closest("[role=alertdialog]")?.querySelector<HTMLElement>("footer button"),
  );
  return (
    <div ref={section} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p>{text}</p>
        {isRunning && (
          <Button size="sm" onPress={check.stop}>
            {t("bulk-stop")}
          </Button>
        )}
      </div>
      <SellerHint results={refused} />
      {refused.length > 0 && (
        <ul aria-label={t("bulk-check-list")} className="bulk-results rounded-md border border-line">
          {refused.map((result) => (
            <RefusedLine key={result.row.key} result={result} />
          ))}
        </ul>
      )}
      {/* Its words would say that the check goes on by itself. */}
      {error && error.kind !== "rateLimited" && <ErrorNotice error={error} variant="inline" />}
    </div>
  );
}

function checkText({ checked, refused, isRunning }: Check, count: number, { t, format }: Localizer): string {
  // The list may have got further documents since they were counted.
  const total = Math.max(count, checked);
  const counts = { done: format.integer(checked), total: format.integer(total) };
  if (isRunning) return t("bulk-check-running", counts);
  const found =
    refused.length > 0
      ? t("bulk-check-refused", { ...counts, refused: format.integer(refused.length) })
      : t(checked > 0 ? "bulk-check-right" : "bulk-check-running", counts);
  return checked < total ? `${found} ${t("bulk-check-rest")}` : found;
}

function RefusedLine({ result: { row, outcome } }: { result: BulkResult }) {
  return (
    <li className="border-line border-b px-3 py-1.5 last:border-b-0">
      <DocumentCells row={row} />
      {outcome.state === "failed" && <FailureText error={outcome.error} number={row.number} />}
    </li>
  );
}
