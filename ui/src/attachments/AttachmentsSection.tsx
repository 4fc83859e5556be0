/** The attachments of a document: what there is, and adding by button, drop or paste while the document can be edited. */

import { Clock, Paperclip } from "lucide-react";
import { memo, useRef, useState } from "react";
import { Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AttachmentView } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { acceptsFiles } from "./acceptsFiles";
import { fileSize } from "./fileSize";
import { RemoveAttachmentDialog } from "./RemoveAttachmentDialog";
import { type AddingWhenReady, useAttachments } from "./useAttachments";

export interface AttachmentsSectionProps {
  document: string;
  stamp?: string;
  /** In a form, whose draft may have been deleted. */
  whenReady?: AddingWhenReady;
}

export const AttachmentsSection = memo(function AttachmentsSection({ document, stamp = "", whenReady }: AttachmentsSectionProps) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const attachments = useAttachments(document, stamp, whenReady);
  const { query, adding, busy, errors, outcome } = attachments;
  const [removing, setRemoving] = useState<AttachmentView | null>(null);
  const [dragging, setDragging] = useState(false);
  const section = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);

  const failed = query.error && (
    <ErrorNotice error={commandError(query.error)} variant="inline" handlers={{ tryNow: () => void query.refetch() }} />
  );
  const view = query.data;
  if (!view) return failed;
  const editable = view.editable && !view.offline;
  if (!editable && view.attachments.length === 0) return failed;
  const waiting = view.attachments.some((each) => each.waiting);
  const problem = errors.length === 0 ? view.problem : null;
  return (
    // Files are also added by the button; only a pointer drops them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="section-attachments"
      {...(editable ? acceptsFiles : {})}
      onDragOver={(event) => {
        if (!editable || !event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragging(false);
      }}
      onDrop={(event) => {
        if (!editable) return;
        event.preventDefault();
        setDragging(false);
        attachments.add(event.dataTransfer.files);
      }}
      onPaste={(event) => {
        if (editable && event.clipboardData.files.length > 0) {
          event.preventDefault();
          attachments.add(event.clipboardData.files);
        }
      }}
      className={`flex flex-col gap-2 rounded-md outline-none ${dragging ? "ring-2 ring-accent" : ""}`}
    >
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h3 id="section-attachments" className="font-semibold">
          {t("attachments")}
        </h3>
        <span className="flex-1" />
        {editable && (
          <Button
            size="sm"
            icon={<Paperclip size={13} aria-hidden="true" />}
            isDisabled={view.attachments.length >= view.limits.count}
            isBusy={adding !== null}
            onPress={() => input.current?.click()}
          >
            {t("attachment-add")}
          </Button>
        )}
      </div>
      {/* What was read before stays beside it. */}
      {failed}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden="true"
        data-attachment-input=""
        accept={view.limits.extensions.map((extension) => `.${extension}`).join(",")}
        onChange={(event) => {
          attachments.add(event.target.files ?? []);
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
      {view.attachments.length > 0 && (
        <ul aria-label={t("attachments")} className="rounded-md border border-line-strong bg-surface">
          {view.attachments.map((each) => (
            <li
              key={each.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-2 last:border-b-0"
            >
              <span className="min-w-40 flex-1">
                <bdi className="block break-words">{each.fileName || t("attachment-unreadable")}</bdi>
                <span className="flex flex-wrap items-center text-2xs text-fg-2">
                  {each.fileName !== "" && (
                    <>
                      <bdi>{typeName(each.fileName)}</bdi>
                      <Separator />
                      <span className="numeric">{fileSize(each.bytes, localizer)}</span>
                    </>
                  )}
                  {each.added && (
                    <>
                      <Separator />
                      <bdi>{each.added.by}</bdi>
                      <Separator />
                      <span className="numeric">{format.dateTime(each.added.time)}</span>
                    </>
                  )}
                  {each.waiting && (
                    <span className="ms-2 inline-flex items-center gap-1 text-warning">
                      <Clock size={11} aria-hidden="true" />
                      {t("attachment-waiting")}
                    </span>
                  )}
                </span>
              </span>
              <span className="flex gap-1">
                <Button
                  size="sm"
                  variant="quiet"
                  isBusy={busy}
                  aria-label={t("attachment-save-of", { name: each.fileName })}
                  onPress={() => attachments.save(each.id)}
                >
                  {t("attachment-save")}
                </Button>
                {(editable || each.waiting) && (
                  <Button
                    size="sm"
                    variant="quiet"
                    isBusy={busy}
                    aria-label={t("attachment-remove-of", { name: each.fileName })}
                    onPress={() => setRemoving(each)}
                  >
                    {t("attachment-remove")}
                  </Button>
                )}
              </span>
              {each.problem && (
                <div className="basis-full">
                  <ErrorNotice error={each.problem} variant="inline" />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {editable && (
        <p className="text-fg-2 text-xs">
          {t("attachment-limits", {
            count: view.limits.count,
            size: fileSize(view.limits.bytes, localizer),
            types: format.list([...new Set(view.limits.extensions.map(displayType))]),
          })}
        </p>
      )}
      {waiting && <p className="text-fg-2 text-xs">{t("attachment-waiting-hint")}</p>}
      {adding && (
        <p role="status" className="text-fg-2 text-xs">
          {t("attachment-adding", { name: adding.name, index: adding.index, count: adding.count })}
        </p>
      )}
      {outcome !== "" && <p className="text-fg-2 text-xs">{outcome}</p>}
      {errors.map(({ file, error }, index) => (
        // Errors have no identity, and the list is replaced as a whole.
        // oxlint-disable-next-line react/no-array-index-key
        <ErrorNotice key={index} error={error} variant="card">
          {/* The text of the other kind names the file. */}
          {error.kind !== "attachmentRefused" && file !== null && <bdi className="break-words">{file}</bdi>}
        </ErrorNotice>
      ))}
      {problem && <ErrorNotice error={problem} variant="card" handlers={{ tryNow: attachments.sendWaiting }} />}
      {removing && (
        <RemoveAttachmentDialog
          name={removing.fileName}
          onConfirm={async () => {
            const removed = await attachments.remove(removing.id);
            setRemoving(null);
            // The button that opened the dialog is gone.
            if (removed) requestAnimationFrame(() => section.current?.focus());
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
});

function typeName(fileName: string): string {
  return displayType(/\.([^.]+)$/.exec(fileName)?.[1] ?? "");
}

function displayType(extension: string): string {
  const upper = extension.toUpperCase();
  return upper === "JPG" ? "JPEG" : upper;
}
