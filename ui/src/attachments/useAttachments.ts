/** The attachments of a document, and what can be done with them. Files are added one after the other. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { announce } from "../components/announce";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { base64 } from "../import/readFile";
import type { AttachmentProblem, AttachmentsView, CommandError, WindowBinding } from "../ipc/bindings";
import { CommandFailure, commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { attachmentsQuery, setAttachments } from "./attachmentsQuery";

export interface AddingFile {
  name: string;
  index: number;
  count: number;
}

/** Why something was not done, and with which file; `null`: the error is not of one file. */
export interface AttachmentFailure {
  file: string | null;
  error: CommandError;
}

/** Adds a file once what it is attached to is there. */
export type AddingWhenReady = <T>(add: () => Promise<T>) => Promise<T>;

export function useAttachments(document: string, stamp: string, whenReady: AddingWhenReady = (add) => add()) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { id } = organization;
  const query = useQuery(attachmentsQuery(id, document, stamp));
  const [adding, setAdding] = useState<AddingFile | null>(null);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<readonly AttachmentFailure[]>([]);
  const [outcome, setOutcome] = useState("");
  // Files that are dropped while others are added follow these.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const queued = useRef(0);

  const run = async (work: () => Promise<string>): Promise<boolean> => {
    setBusy(true);
    setErrors([]);
    setOutcome("");
    try {
      const done = await work();
      setOutcome(done);
      if (done !== "") announce(done);
      return true;
    } catch (thrown) {
      setErrors([{ file: null, error: commandError(thrown) }]);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const change = async (command: (binding: WindowBinding) => ReturnType<typeof commands.listAttachments>) => {
    const view = await withBinding(id, command);
    setAttachments(client, id, document, view);
    return view;
  };

  /** `follows`: others were being added. What has failed of those was not read yet, and stays. */
  const addAll = async (files: readonly File[], follows: boolean) => {
    const failed: AttachmentFailure[] = [];
    let added = 0;
    let view = query.data;
    if (!follows) setErrors([]);
    setOutcome("");
    for (const [index, file] of files.entries()) {
      setAdding({ name: file.name, index: index + 1, count: files.length });
      try {
        const problem = view && problemOf(file, view);
        if (problem) throw new CommandFailure({ kind: "attachmentRefused", file: file.name, problem });
        const content = base64(new Uint8Array(await file.arrayBuffer()));
        view = await whenReady(() =>
          change((binding) => commands.addAttachment(binding, document, { name: file.name, content })),
        );
        added += 1;
      } catch (thrown) {
        failed.push({ file: file.name, error: commandError(thrown) });
      }
    }
    setAdding(null);
    setErrors((before) => (follows ? [...before, ...failed] : failed));
    if (added > 0) {
      const waits = view?.attachments.some(({ waiting }) => waiting) ?? false;
      const text = t(waits ? "attachments-kept" : "attachments-added", { count: added });
      setOutcome(text);
      announce(text);
    }
  };
  return {
    query,
    adding,
    busy,
    errors,
    outcome,
    add: (files: Iterable<File>) => {
      const list = [...files];
      if (list.length === 0) return;
      const follows = queued.current > 0;
      queued.current += 1;
      queue.current = queue.current
        .then(() => addAll(list, follows))
        .finally(() => {
          queued.current -= 1;
        });
    },
    save: (attachment: string) =>
      void run(async () => {
        const name = await withBinding(id, (binding) => commands.saveAttachment(binding, document, attachment));
        return name === null ? "" : t("paper-saved", { name });
      }),
    remove: (attachment: string) =>
      run(async () => {
        await change((binding) => commands.removeAttachment(binding, document, attachment));
        return t("attachment-removed");
      }),
    sendWaiting: () =>
      void run(async () => {
        const { attachments } = await change((binding) => commands.sendAttachments(binding, document));
        // One that was refused waits on, with its reason.
        return attachments.some(({ waiting }) => waiting) ? "" : t("attachments-sent");
      }).finally(() => void query.refetch()),
  };
}

/** Why a file cannot be attached, as far as it can be told before it is read. */
export function problemOf(
  { name, size }: Pick<File, "name" | "size">,
  { attachments, limits }: AttachmentsView,
): AttachmentProblem | null {
  if (attachments.length >= limits.count) return "tooMany";
  if (size > limits.bytes) return "tooLarge";
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return limits.extensions.includes(extension) ? null : "otherType";
}
