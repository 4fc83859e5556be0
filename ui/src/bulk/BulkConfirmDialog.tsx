/** Confirmation of a bulk run: the organization, how many documents, their sums, what is left out, and what would be refused. */

import { useState } from "react";
import { NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useAnnouncement } from "../components/useAnnouncement";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { OrganizationCard } from "../invoices/OrganizationCard";
import type { BulkAction, BulkPlan, BulkRun, CommandError, DocumentSelection } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useOpeningQuery } from "../queries/useOpeningQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { IssueCheck } from "./IssueCheck";

export interface BulkConfirmDialogProps {
  action: BulkAction;
  selection: DocumentSelection;
  onStarted: (run: BulkRun) => void;
  onClose: () => void;
}

export function BulkConfirmDialog({ action, selection, onStarted, onClose }: BulkConfirmDialogProps) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CommandError | null>(null);
  const showError = useShowError();
  const plan = useOpeningQuery([organization.id, "bulk-plan", action, selection], () =>
    withBinding(organization.id, (binding) => commands.planBulkRun(binding, action, selection)),
  );
  const start = async (confirmed: BulkPlan) => {
    setBusy(true);
    setFailure(null);
    const command = action === "issue" ? commands.issueDocuments : commands.freezeDocuments;
    try {
      onStarted(await withBinding(organization.id, (binding) => command(binding, selection, confirmed)));
    } catch (thrown) {
      showError(commandError(thrown), setFailure);
    } finally {
      setBusy(false);
    }
  };
  const error = failure ?? (plan.error ? commandError(plan.error) : null);
  const count = plan.data?.count ?? 0;
  const tryNow = () => void (failure && plan.data ? start(plan.data) : plan.refetch());
  const none = plan.data && count === 0 ? t(action === "issue" ? "bulk-none-to-issue" : "bulk-none-to-freeze") : null;
  useAnnouncement(none);
  return (
    <Modal
      title={t(action === "issue" ? "bulk-issue-title" : "bulk-freeze-title")}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {t("cancel")}
          </Button>
          {count > 0 && (
            <Button
              variant={action === "freeze" ? "danger" : "primary"}
              isBusy={busy}
              onPress={() => plan.data && void start(plan.data)}
            >
              {t(action === "issue" ? "bulk-issue-confirm" : "bulk-freeze-confirm", { count })}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <OrganizationCard>
          {plan.data ? <PlanSummary plan={plan.data} /> : <p className="p-3 text-fg-2">{t("loading")}</p>}
        </OrganizationCard>
        {none && <p>{none}</p>}
        {count > 0 && <p>{t(action === "issue" ? "bulk-issue-hint" : "bulk-freeze-hint")}</p>}
        {/* Freezing has no rule but the state and the stamp, by which the documents are counted. */}
        {count > 0 && action === "issue" && <IssueCheck selection={selection} count={count} />}
        {error && <ErrorNotice error={error} variant="card" handlers={{ tryNow }} />}
      </div>
    </Modal>
  );
}

/** How many documents, their sums, and how many are left out. */
function PlanSummary({ plan }: { plan: BulkPlan }) {
  const { t, format } = useLocalizer();
  return (
    <dl className="grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-1 p-3">
      <dt className="text-fg-2">{t("bulk-documents")}</dt>
      <dd className="numeric amount-column font-semibold">{format.integer(plan.count)}</dd>
      {plan.sums.map((sum) => (
        <div key={sum.currency} className="contents">
          <dt className="text-fg-2">{t("bulk-gross", { currency: sum.currency })}</dt>
          <dd className="amount-column">
            <NumericText className="font-semibold">{format.money(sum.gross, sum.currency)}</NumericText>
          </dd>
        </div>
      ))}
      {plan.skipped > 0 && (
        <>
          <dt className="text-fg-2">{t("bulk-skipped")}</dt>
          <dd className="numeric amount-column">{format.integer(plan.skipped)}</dd>
        </>
      )}
    </dl>
  );
}
