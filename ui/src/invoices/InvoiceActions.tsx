/** Actions on an invoice: those that its state allows and the service permits, as far as that is known. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "../components/Button";
import { runCommand } from "../components/commands";
import { keepFocus } from "../components/keepFocus";
import { lazyDialog } from "../components/lazyComponent";
import { MenuItem, MenuSeparator } from "../components/Menu";
import { useShortcut } from "../components/shortcuts";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { ViolationList } from "../errors/ViolationList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceView } from "../ipc/bindings";
import { PaperActions } from "../paper/PaperActions";
import { keepRefusal } from "../queries/draftQueries";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { activeRow, useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { SaveTemplate } from "../templates/SaveTemplate";
import { ConfirmDialog } from "./ConfirmDialog";
import { duplicateContent, isCreditable } from "./derivedContent";
import { type LifecycleAction, useUnfinishedSteps } from "./lifecycleSteps";
import { useLifecycleAction } from "./useLifecycleAction";

const DeleteDialog = lazyDialog(async () => (await import("./DeleteDialog")).DeleteDialog);
const CreditNoteDialog = lazyDialog(async () => (await import("../credit/CreditNoteDialog")).CreditNoteDialog);

export function InvoiceActions({ view, onClose }: { view: InvoiceView; onClose: () => void }) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { start, edit, error: draftError } = useNewDraft();
  const { openInvoice } = useNavigation();
  const [pendingAction, setPendingAction] = useState<LifecycleAction | null>(null);
  const [crediting, setCrediting] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const lifecycle = useLifecycleAction(view, () => setPendingAction(null));
  const { unfinished, forget } = useUnfinishedSteps(view);
  const { status, kind } = view.row;
  const may = useDocumentPermissions();
  const unnumbered = status === "draft" || status === "rejected";
  const editable = unnumbered && may.updateDocuments;
  const issuable = unnumbered && may.issueDocuments;
  const freezable = status === "issued" && may.freezeDocuments;
  const creditable = (status === "issued" || status === "frozen") && isCreditable(kind) && may.createDocuments;
  const deletable = status === "draft" && may.deleteDocuments;

  const error = lifecycle.error ?? draftError ?? unfinished?.error ?? null;
  // Which of the two the error of a draft belongs to.
  const drafting = useRef<"edit" | "duplicate">("edit");
  /** Of a draft that was not opened the error is shown below: not behind the confirmation, nor after what led to it. */
  const open = async (opening: Promise<boolean>) => {
    if (await opening) return;
    setPendingAction(null);
    lifecycle.dismiss();
  };
  const editInvoice = () => {
    drafting.current = "edit";
    // The form shows what the service has refused at its fields. The next attempt to open it keeps what the first one has.
    if (error === null || error !== draftError) keepRefusal(client, organization.id, view.row.key, error);
    void open(
      edit({
        key: view.row.key,
        changes: { stamp: view.row.stamp, content: view.content },
        content: view.content,
        state: "editing",
      }),
    );
  };
  const afterDeletion = () => {
    onClose();
    // The dialog goes with the detail, and would hand the focus back to it.
    keepFocus(() => document.querySelector<HTMLElement>(activeRow));
  };
  const credit = () => setCrediting(true);
  const duplicate = () => {
    drafting.current = "duplicate";
    void open(start(duplicateContent(view)));
  };
  useShortcut("edit", editInvoice, editable);
  // As their buttons: while a step runs, there is nothing to confirm.
  useShortcut("issue", () => setPendingAction("issue"), issuable && !lifecycle.busy);
  useShortcut("freeze", () => setPendingAction("freeze"), freezable && !lifecycle.busy);
  useShortcut("creditNote", credit, creditable);
  useShortcut("duplicate", duplicate, may.createDocuments);
  useShortcut("deleteDocument", () => setDeleting(true), deletable);

  // A step that was begun is finished by the button of its notice.
  const stepVariant = unfinished ? "secondary" : "primary";
  const finish = () => (unfinished ? lifecycle.run(unfinished.steps) : lifecycle.retry());
  return (
    <footer className="flex shrink-0 flex-col gap-3 border-line border-t bg-surface p-4">
      {unfinished && pendingAction === null && (
        <Notice
          severity="warning"
          variant="card"
          text={unfinished.steps[0] === "issue" ? t("saved-not-issued") : t("issued-not-frozen", { number: view.row.number })}
          buttons={
            <>
              <Button data-finish="" size="sm" variant="primary" isBusy={lifecycle.busy} onPress={finish}>
                {t(unfinished.steps.length > 1 ? "finish-both" : unfinished.steps[0] === "issue" ? "issue" : "freeze")}
              </Button>
              <Button size="sm" onPress={forget}>
                {t("act-later")}
              </Button>
            </>
          }
        />
      )}
      {error && pendingAction === null && (
        <ErrorNotice
          error={error}
          variant="card"
          handlers={{
            ...(error === draftError
              ? { tryNow: () => (drafting.current === "edit" ? editInvoice() : duplicate()) }
              : // The notice above offers it.
                !unfinished && { tryNow: finish, stop: lifecycle.dismiss }),
            checkNow: lifecycle.reload,
            backToList: () => openInvoice(null),
            edit: editInvoice,
            creditNote: credit,
          }}
          context={view.row.number === "" ? {} : { number: view.row.number }}
        >
          <ViolationList error={error} />
        </ErrorNotice>
      )}
      <div className="flex flex-wrap gap-2">
        {issuable && (
          <Button variant={stepVariant} shortcut="issue" isBusy={lifecycle.busy} onPress={() => setPendingAction("issue")}>
            {t("issue")}
          </Button>
        )}
        {freezable && (
          <Button variant={stepVariant} shortcut="freeze" isBusy={lifecycle.busy} onPress={() => setPendingAction("freeze")}>
            {t("freeze")}
          </Button>
        )}
        {editable && (
          <Button shortcut="edit" onPress={editInvoice}>
            {t("edit")}
          </Button>
        )}
        {creditable && (
          <Button shortcut="creditNote" onPress={credit}>
            {t("credit-note")}
          </Button>
        )}
        <PaperActions
          view={view}
          before={
            <>
              {may.createDocuments && (
                <MenuItem id="duplicate" shortcut="duplicate" onAction={duplicate}>
                  {t("duplicate")}
                </MenuItem>
              )}
              {kind === "invoice" && (
                <MenuItem id="template" onAction={() => runCommand("saveTemplate")}>
                  {t("template-save")}
                </MenuItem>
              )}
            </>
          }
          after={
            deletable && (
              <>
                <MenuSeparator />
                <MenuItem id="delete" shortcut="deleteDocument" onAction={() => setDeleting(true)}>
                  {t("delete-document")}
                </MenuItem>
              </>
            )
          }
        />
      </div>
      {kind === "invoice" && <SaveTemplate contentOf={() => view.content} hasButton={false} />}
      <CreditNoteDialog isOpen={crediting} view={view} onClose={() => setCrediting(false)} />
      <DeleteDialog isOpen={deleting} view={view} onDeleted={afterDeletion} onClose={() => setDeleting(false)} />
      {pendingAction && (
        <ConfirmDialog
          action={pendingAction}
          view={view}
          busy={lifecycle.busy}
          error={lifecycle.error}
          onConfirm={() => lifecycle.run([pendingAction])}
          onEdit={editInvoice}
          onClose={() => setPendingAction(null)}
        />
      )}
    </footer>
  );
}
