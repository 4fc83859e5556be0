/** An export above the list: how far it is, or how it ended. */

import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck, Download, Info, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { keepFocus } from "../components/keepFocus";
import { useAnnouncement } from "../components/useAnnouncement";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { CommandError, Export } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { LineButton } from "./LineButton";
import { exportsKey } from "./useExports";

const icons = { running: Download, finished: CircleCheck, cancelled: Info, failed: TriangleAlert, interrupted: TriangleAlert };
const colors = {
  running: "text-accent",
  finished: "text-success",
  cancelled: "text-fg-3",
  failed: "text-danger",
  interrupted: "text-warning",
};

export function ExportLine({ exported }: { exported: Export }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { state, id, file } = exported;
  const Icon = icons[state];
  const text = exportText(exported, localizer);
  // The begin and the end: the bar between them has its value.
  useAnnouncement(text, state);
  const [failed, setFailed] = useState<{ error: CommandError; again: () => void } | null>(null);
  const act = async (command: typeof commands.cancelExport | typeof commands.restartExport) => {
    setFailed(null);
    try {
      await withBinding<unknown>(organization.id, (binding) => command(binding, id));
    } catch (thrown) {
      setFailed({ error: commandError(thrown), again: () => void act(command) });
    }
    void client.invalidateQueries({ queryKey: exportsKey(organization.id) });
    // The button, or its line, goes.
    keepFocus(() => document.querySelector("[data-export] button") ?? document.querySelector("[data-export-menu]"));
  };
  return (
    <div
      role="group"
      aria-label={t("export")}
      data-export={state}
      className="shrink-0 border-line border-b bg-sunken px-3 py-1.5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Icon size={15} aria-hidden="true" className={`shrink-0 ${colors[state]}`} />
        <p className="numeric min-w-40 flex-1">{text}</p>
        {state === "running" ? (
          <LineButton text={t("cancel")} run={file} onPress={() => void act(commands.cancelExport)} />
        ) : (
          <>
            {state !== "finished" && (
              <LineButton text={t("export-again")} run={file} onPress={() => void act(commands.restartExport)} />
            )}
            <LineButton text={t("close")} run={file} onPress={() => void act(commands.closeExport)} />
          </>
        )}
      </div>
      {state === "running" && exported.format === "csv" && (
        <progress
          aria-label={t("export")}
          value={Math.min(exported.rows ?? 0, exported.total)}
          max={Math.max(1, exported.total)}
          className="bulk-progress w-full"
        />
      )}
      {exported.error && <FailureNotice error={exported.error} />}
      {failed && <ErrorNotice error={failed.error} variant="inline" handlers={{ tryNow: failed.again }} />}
    </div>
  );
}

/** Why there is no file. An export is no change that the window keeps, and none that is sent later. */
function FailureNotice({ error }: { error: CommandError }) {
  const { t } = useLocalizer();
  if (error.kind === "offline") return <Notice severity="warning" variant="inline" text={t("export-offline")} />;
  if (error.kind === "notSaved") return <Notice severity="error" variant="inline" text={t(`export-problem-${error.problem}`)} />;
  return <ErrorNotice error={error} variant="inline" />;
}

function exportText({ state, file, rows, total, kibibytes, format: kind }: Export, { t, format }: Localizer): string {
  switch (state) {
    case "running":
      if (kind === "csv") return t("export-rows", { file, rows: format.integer(rows ?? 0), total: format.integer(total) });
      return kibibytes === 0 ? t("export-prepared", { file }) : t("export-size", { file, size: format.integer(kibibytes) });
    case "finished":
      return rows === null ? t("export-finished-uncounted", { file }) : t("export-finished", { file, count: rows });
    case "cancelled":
      return t("export-cancelled", { file });
    case "failed":
      return t("export-failed", { file });
    case "interrupted":
      return t("export-interrupted", { file });
  }
}
