/** The files that wait for documents which the service does not have any more. Nobody can open these documents, so that the files are saved and removed here. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileWarning } from "lucide-react";
import { useRef, useState } from "react";
import { RemoveAttachmentDialog } from "../attachments/RemoveAttachmentDialog";
import { Button } from "../components/Button";
import { showStatus } from "../components/statusMessage";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, FileWithoutDocument } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { filesWithoutDocumentQuery, invalidateDrafts } from "../queries/draftQueries";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export function FilesWithoutDocument() {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const query = useQuery({ ...filesWithoutDocumentQuery(organization.id), refetchOnMount: "always" });
  const [removing, setRemoving] = useState<FileWithoutDocument | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const showError = useShowError();

  async function run(action: () => Promise<void>) {
    setError(null);
    try {
      await action();
    } catch (thrown) {
      showError(commandError(thrown), setError);
    }
    invalidateDrafts(client, organization.id);
  }

  async function save({ document, file }: FileWithoutDocument) {
    const name = await withBinding(organization.id, (binding) => commands.saveAttachment(binding, document, file.id));
    if (name !== null) showStatus(t("paper-saved", { name }));
  }

  async function remove({ document, file }: FileWithoutDocument) {
    await withBinding(organization.id, (binding) => commands.removeAttachment(binding, document, file.id));
    showStatus(t("attachment-removed"));
  }

  if (query.error) return <ErrorNotice error={commandError(query.error)} variant="card" />;
  const files = query.data ?? [];
  if (files.length === 0) return error && <ErrorNotice error={error} variant="card" />;
  return (
    <section aria-labelledby="files-without-document" className="flex flex-col gap-2">
      <h2 id="files-without-document" className="flex items-center gap-2 font-semibold">
        <FileWarning size={16} aria-hidden="true" className="shrink-0 text-warning" />
        {t("files-without-document")}
      </h2>
      <p className="text-fg-2">{t("files-without-document-hint")}</p>
      {error && <ErrorNotice error={error} variant="card" />}
      <FileList files={files} onSave={(file) => void run(() => save(file))} onRemove={setRemoving} />
      {removing && (
        <RemoveAttachmentDialog
          name={removing.file.fileName || t("attachment-unreadable")}
          hint={t("files-without-document-remove-hint")}
          onConfirm={async () => {
            await run(() => remove(removing));
            setRemoving(null);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}

interface FileListProps {
  files: readonly FileWithoutDocument[];
  onSave: (file: FileWithoutDocument) => void;
  onRemove: (file: FileWithoutDocument) => void;
}

function FileList({ files, onSave, onRemove }: FileListProps) {
  const { t } = useLocalizer();
  const list = useRef<HTMLUListElement>(null);
  useFocusAfterRemoval(list, () => list.current?.querySelector("button"));
  return (
    <ul ref={list} aria-labelledby="files-without-document" className="rounded-md border border-warning/40 bg-warning-soft">
      {files.map((each) => {
        const name = each.file.fileName || t("attachment-unreadable");
        return (
          <li
            key={each.file.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-2 last:border-b-0"
          >
            <bdi className="min-w-40 flex-1 break-words">{name}</bdi>
            <span className="flex gap-1">
              <Button size="sm" aria-label={t("attachment-save-of", { name })} onPress={() => onSave(each)}>
                {t("attachment-save")}
              </Button>
              <Button size="sm" aria-label={t("attachment-remove-of", { name })} onPress={() => onRemove(each)}>
                {t("attachment-remove")}
              </Button>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
