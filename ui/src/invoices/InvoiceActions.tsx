/** What can be done with an invoice. Nothing is hidden for a role: the service decides, and says so. */

import { useState } from "react";
import { Button } from "../components/Button";
import { useShortcut } from "../components/shortcuts";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceView } from "../ipc/bindings";
import { useSignIn } from "../session/useSignIn";
import { useNavigation } from "../state/navigation";
import { ConfirmDialog } from "./ConfirmDialog";
import { creditNote, duplicate } from "./derivedContent";
import { type LifecycleAction, useLifecycleAction } from "./useLifecycleAction";

export function InvoiceActions({ view }: { view: InvoiceView }) {
  const { t } = useLocalizer();
  const { start, edit, error: draftError } = useNewDraft();
  const { go, open } = useNavigation();
  const [asking, setAsking] = useState<LifecycleAction | null>(null);
  const step = useLifecycleAction(view, () => setAsking(null));
  const signIn = useSignIn();
  const { status, kind } = view.row;
  const editable = status === "draft" || status === "rejected";
  const numbered = status === "issued" || status === "frozen";

  const change = () =>
    void edit({
      key: view.row.key,
      changes: { stamp: view.row.stamp, content: view.content },
      content: view.content,
      state: "editing",
    });
  const credit = () => start(creditNote(view));
  const again = () => start(duplicate(view));
  useShortcut("edit", change, editable);
  useShortcut("issue", () => setAsking("issue"), editable);
  useShortcut("freeze", () => setAsking("freeze"), status === "issued");
  useShortcut("creditNote", credit, numbered && kind === "invoice");
  useShortcut("duplicate", again);

  const error = step.error ?? draftError;
  return (
    <footer className="flex shrink-0 flex-col gap-3 border-line border-t bg-surface p-4">
      {error && asking === null && (
        <ErrorNotice
          error={error}
          variant="card"
          handlers={{
            tryNow: step.again,
            checkNow: step.reread,
            leaveToInbox: () => go({ name: "drafts" }),
            backToList: () => open(null),
            creditNote: credit,
            refreshOrganizations: signIn.refreshOrganizations,
          }}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {editable && (
          <Button tone="primary" shortcut="issue" isDisabled={step.busy} onPress={() => setAsking("issue")}>
            {t("issue")}
          </Button>
        )}
        {status === "issued" && (
          <Button tone="primary" shortcut="freeze" isDisabled={step.busy} onPress={() => setAsking("freeze")}>
            {t("freeze")}
          </Button>
        )}
        {editable && (
          <Button shortcut="edit" onPress={change}>
            {t("edit")}
          </Button>
        )}
        {numbered && kind === "invoice" && (
          <Button shortcut="creditNote" onPress={credit}>
            {t("credit-note")}
          </Button>
        )}
        <Button shortcut="duplicate" onPress={again}>
          {t("duplicate")}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          step={asking}
          view={view}
          busy={step.busy}
          error={step.error}
          onConfirm={() => step.take(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </footer>
  );
}
