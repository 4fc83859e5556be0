/**
 * Opens links to documents: followed outside of the windows, pasted, or dropped. A link to another organization opens nothing in this
 * window; a dialog offers the window of that organization.
 */

import { Suspense, useCallback, useEffect, useState } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { isDialogOpen, useDialogOpen } from "../components/openDialogs";
import type { LinkTarget } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useNavigation } from "../state/navigation";
import { useSnapshot } from "../state/snapshotStore";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { linkIn } from "./documentLink";

const LinkDialog = lazyComponent(async () => (await import("./LinkDialog")).LinkDialog);

/** A target that the window does not open itself. */
export type RefusedTarget = Exclude<LinkTarget, { kind: "document" }>;

export function DocumentLinks() {
  const { organization } = useWorkspace();
  const { navigate, openInvoice } = useNavigation();
  const [refused, setRefused] = useState<RefusedTarget | null>(null);
  const { id } = organization;
  const follow = useCallback(
    (target: LinkTarget) => {
      if (target.kind !== "document") {
        setRefused(target);
        return;
      }
      navigate({ name: "invoices" });
      openInvoice(target.key);
    },
    [navigate, openInvoice],
  );
  const read = useCallback(
    (text: string) => {
      // A window that has been bound to another organization meanwhile opens nothing.
      void withBinding(id, (binding) => commands.readLink(binding, text)).then(follow, () => undefined);
    },
    [id, follow],
  );

  const snapshot = useSnapshot();
  const dialogOpen = useDialogOpen();
  // A second link changes nothing but the revision.
  const waitingSince = snapshot?.linkWaits === true && !dialogOpen ? snapshot.revision : null;
  useEffect(() => {
    // A dialog that is shown again after another sign-in is counted only after the render.
    if (waitingSince === null || refused || isDialogOpen()) return;
    void call(commands.takeLink()).then(
      (target) => target && follow(target),
      () => undefined,
    );
  }, [waitingSince, refused, follow]);

  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const link = isDialogOpen() || isTextField(event.target) ? null : linkIn(event.clipboardData?.getData("text/plain") ?? "");
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
      read(link);
    };
    const hasText = (event: DragEvent) =>
      event.dataTransfer?.types.includes("text/plain") === true && !event.dataTransfer.types.includes("Files");
    const over = (event: DragEvent) => {
      // What is dragged is not readable before it is dropped.
      if (hasText(event) && !isDialogOpen() && !isTextField(event.target)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasText(event) || isTextField(event.target)) return;
      event.preventDefault();
      const link = isDialogOpen() ? null : linkIn(event.dataTransfer?.getData("text/plain") ?? "");
      if (link !== null) read(link);
    };
    window.addEventListener("paste", paste, { capture: true });
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("paste", paste, { capture: true });
      window.removeEventListener("dragover", over);
      window.removeEventListener("drop", drop);
    };
  }, [read]);

  if (!refused) return null;
  return (
    <Suspense>
      <LinkDialog target={refused} onClose={() => setRefused(null)} />
    </Suspense>
  );
}

/** Whether the element is a field that takes the text itself. The search takes no links: nothing is found by them. */
function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=search]), textarea, [contenteditable], [role=spinbutton], [role=combobox]")
  );
}
