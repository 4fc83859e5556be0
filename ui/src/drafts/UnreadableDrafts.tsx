/** The drafts of this computer that cannot be read: how many, why, and how to keep, copy or delete them. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileWarning } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { Modal } from "../components/Modal";
import { showStatus } from "../components/statusMessage";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, DraftExport, UnreadableDraft } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { invalidateDrafts, unreadableDraftsQuery } from "../queries/draftQueries";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export function UnreadableDrafts() {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const unreadable = useQuery({ ...unreadableDraftsQuery(organization.id), refetchOnMount: "always" });
  const [exported, setExported] = useState<DraftExport | null>(null);
  const calls = useCommandCalls();

  async function run(action: () => Promise<unknown>) {
    await calls.run(action);
    invalidateDrafts(client, organization.id);
  }

  async function copy() {
    const copies = await withBinding(organization.id, (binding) => commands.exportUnreadableDrafts(binding));
    setExported(copies);
    showStatus(t("unreadable-copied", { count: copies.files }));
  }

  async function remove(file: string) {
    await withBinding(organization.id, (binding) => commands.deleteUnreadableDraft(binding, file));
    showStatus(t("unreadable-deleted"));
  }

  if (unreadable.error) return <ErrorNotice error={commandError(unreadable.error)} variant="card" />;
  return (
    <UnreadableDraftList
      drafts={unreadable.data ?? []}
      exported={exported}
      error={calls.error}
      onUnlock={() => void run(() => call(commands.unlockVault()))}
      onCopy={() => void run(copy)}
      onDelete={(file) => void run(() => remove(file))}
    />
  );
}

interface UnreadableDraftListProps {
  drafts: readonly UnreadableDraft[];
  exported: DraftExport | null;
  error: CommandError | null;
  onUnlock: () => void;
  onCopy: () => void;
  onDelete: (file: string) => void;
}

/** Without queries, for the gallery. */
export function UnreadableDraftList({ drafts, exported, error, onUnlock, onCopy, onDelete }: UnreadableDraftListProps) {
  const { t, format } = useLocalizer();
  const [deleting, setDeleting] = useState<UnreadableDraft | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useFocusAfterRemoval(list, () => list.current?.parentElement?.querySelector("button"));
  if (drafts.length === 0) return error && <ErrorNotice error={error} variant="card" />;
  const isLocked = drafts.some(({ reason }) => reason === "keyringLocked");
  return (
    <section aria-labelledby="unreadable-title" className="flex flex-col gap-2">
      <h2 id="unreadable-title" className="flex items-center gap-2 font-semibold">
        <FileWarning size={16} aria-hidden="true" className="shrink-0 text-warning" />
        {t("unreadable-title", { count: drafts.length })}
      </h2>
      <p className="text-fg-2">{t("unreadable-hint")}</p>
      {error && <ErrorNotice error={error} variant="card" />}
      <ul ref={list} aria-labelledby="unreadable-title" className="rounded-md border border-warning/40 bg-warning-soft">
        {drafts.map((draft) => (
          <li
            key={draft.file}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-2 last:border-b-0"
          >
            <span className="min-w-[min(15rem,100%)] flex-1">
              <span className="block">{t(`unreadable-${draft.reason}`)}</span>
              {draft.saved !== "" && (
                <span className="numeric block text-fg-2 text-xs">{t("saved-at", { time: format.dateTime(draft.saved) })}</span>
              )}
            </span>
            {draft.reason !== "keyringLocked" && (
              <Button
                size="sm"
                aria-label={t("unreadable-delete-label", {
                  time: draft.saved === "" ? draft.file : format.dateTime(draft.saved),
                })}
                onPress={() => setDeleting(draft)}
              >
                {t("unreadable-delete")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        {isLocked && (
          <Button size="sm" variant="primary" onPress={onUnlock}>
            {t("act-unlock")}
          </Button>
        )}
        <Button size="sm" onPress={onCopy}>
          {t("unreadable-copy")}
        </Button>
      </div>
      {exported && (
        <div role="status" className="flex flex-wrap items-center gap-2 text-fg-2">
          <p className="min-w-0 break-words">{t("unreadable-copied-to", { count: exported.files, folder: exported.folder })}</p>
          <CopyButton size="sm" label={t("unreadable-copy-path")} text={exported.folder} />
        </div>
      )}
      <Modal
        title={t("unreadable-delete-title")}
        role="alertdialog"
        isOpen={deleting !== null}
        onClose={() => setDeleting(null)}
        actions={
          <>
            <Button autoFocus onPress={() => setDeleting(null)}>
              {t("keep-draft")}
            </Button>
            <Button
              variant="danger"
              onPress={() => {
                if (deleting) onDelete(deleting.file);
                setDeleting(null);
              }}
            >
              {t("unreadable-delete")}
            </Button>
          </>
        }
      >
        <p>{t("unreadable-delete-hint")}</p>
      </Modal>
    </section>
  );
}
