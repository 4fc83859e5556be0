/** Bulk runs above the list: how far they are, and what is unfinished from an earlier start. */

import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useAnnouncement } from "../components/useAnnouncement";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { BulkRun } from "../ipc/bindings";
import { BulkProgress } from "./BulkProgress";
import { LineButton } from "./LineButton";
import { runName, runText } from "./runText";
import { SavingProblem } from "./SavingProblem";
import { isUnderWay } from "./useBulkRuns";
import { useRunCommands } from "./useRunCommands";

export function BulkStrip({ runs, onShow }: { runs: readonly BulkRun[]; onShow: (run: string) => void }) {
  return runs.map((run) => <RunLine key={run.id} run={run} onShow={() => onShow(run.id)} />);
}

function RunLine({ run, onShow }: { run: BulkRun; onShow: () => void }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const commands = useRunCommands(run);
  const underWay = isUnderWay(run);
  const text = runText(run, localizer);
  const name = runName(run, localizer);
  // The begin and the end: the bar between them has its value.
  useAnnouncement(text, underWay ? "under way" : run.state);
  const needsLook = run.failed > 0 || run.changed !== null || run.error !== null;
  const Icon = needsLook ? TriangleAlert : run.state === "finished" ? CircleCheck : Info;
  const color = needsLook ? "text-warning" : run.state === "finished" ? "text-success" : "text-accent";
  return (
    <div
      role="group"
      aria-label={plainText(name)}
      data-bulk={run.state}
      className="shrink-0 border-line border-b bg-sunken px-3 py-1.5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Icon size={15} aria-hidden="true" className={`shrink-0 ${color}`} />
        <p className="numeric min-w-40 flex-1">{text}</p>
        <div className="flex flex-wrap gap-2">
          {run.state === "stopped" && run.changed === null && (
            <LineButton text={t("bulk-continue")} run={name} variant="primary" onPress={commands.resume} />
          )}
          {run.changed === null && <LineButton text={t("bulk-show")} run={name} onPress={onShow} />}
          {underWay ? (
            <LineButton text={t("bulk-stop")} run={name} onPress={commands.stop} />
          ) : (
            <LineButton
              text={t(run.state === "finished" || run.changed ? "close" : "bulk-leave")}
              run={name}
              onPress={() => commands.close()}
            />
          )}
        </div>
      </div>
      {underWay && <BulkProgress run={run} />}
      <SavingProblem run={run} variant="inline" />
      {commands.retry && <RetryNotice retry={commands.retry} variant="inline" canStop={false} />}
      {commands.error && <ErrorNotice error={commands.error} variant="inline" />}
    </div>
  );
}
