/** Actions on an invoice. None is hidden by role: the service authorizes, and the error says what is missing. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { lazyDialog } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { ViolationList } from "../errors/ViolationList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceView } from "../ipc/bindings";
import { PaperActions } from "../paper/PaperActions";
import { keepRefusal } from "../queries/draftQueries";
import { activeRow, useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { SaveTemplate } from "../templates/SaveTemplate";
import { ConfirmDialog } from "./ConfirmDialog";
import { duplicateContent } from "./derivedContent";
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
  const editable = status === "draft" || status === "rejected";
  const numbered = status === "issued" || status === "frozen";

  const error = lifecycle.error ?? draftError ?? unfinished?.error ?? null;
  const editInvoice = () => {
    // The form shows what the service has refused at its fields.
    keepRefusal(client, organization.id, view.row.key, error);
    void edit({
      key: view.row.key,
      changes: { stamp: view.row.stamp, content: view.content },
      content: view.content,
      state: "editing",
    });
  };
  const afterDeletion = () => {
    onClose();
    // The dialog goes with the detail, and would hand the focus back to it.
    keepFocus(() => document.querySelector<HTMLElement>(activeRow));
  };
  const credit = () => setCrediting(true);
  const duplicate = () => start(duplicateContent(view));
  useShortcut("edit", editInvoice, editable);
  useShortcut("issue", () => setPendingAction("issue"), editable);
  useShortcut("freeze", () => setPendingAction("freeze"), status === "issued");
  useShortcut("creditNote", credit, numbered && kind === "invoice");
  useShortcut("duplicate", duplicate);
  useShortcut("deleteDocument", () => setDeleting(true), status === "draft");

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
              <Button size="sm" variant="primary" autoFocus isDisabled={lifecycle.busy} onPress={finish}>
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
            // The notice above offers it.
            ...(!unfinished && { tryNow: finish, stop: lifecycle.dismiss }),
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
        {editable && (
          <Button variant="primary" shortcut="issue" isDisabled={lifecycle.busy} onPress={() => setPendingAction("issue")}>
            {t("issue")}
          </Button>
        )}
        {status === "issued" && (
          <Button variant="primary" shortcut="freeze" isDisabled={lifecycle.busy} onPress={() => setPendingAction("freeze")}>
            {t("freeze")}
          </Button>
        )}
        {editable && (
          <Button shortcut="edit" onPress={editInvoice}>
            {t("edit")}
          </Button>
        )}
        {numbered && kind === "invoice" && (
          <Button shortcut="creditNote" onPress={credit}>
            {t("credit-note")}
          </Button>
        )}
        <Button shortcut="duplicate" onPress={duplicate}>
          {t("duplicate")}
        </Button>
        {kind === "invoice" && <SaveTemplate contentOf={() => view.content} variant="secondary" />}
        <PaperActions view={view} />
        {status === "draft" && (
          <Button variant="quiet" shortcut="deleteDocument" onPress={() => setDeleting(true)}>
            {t("delete-document")}
          </Button>
        )}
      </div>
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
