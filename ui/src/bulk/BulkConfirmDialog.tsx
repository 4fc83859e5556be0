/** Confirmation of a bulk run: the organization, how many documents, their sums, what is left out, and what would be refused. */

import { useState } from "react";
import { NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { Select } from "../components/Select";
import { useAnnouncement } from "../components/useAnnouncement";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { OrganizationCard } from "../invoices/OrganizationCard";
import type {
  BulkAction,
  BulkPlan,
  BulkRun,
  CommandError,
  DocumentSelection,
  PrintLanguage,
  WindowBinding,
} from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { paperLanguages, usePaperChoices } from "../paper/paperChoices";
import { useOpeningQuery } from "../queries/useOpeningQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { actionTexts } from "./actionTexts";
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
  const { language: usual } = usePaperChoices();
  const [chosen, setChosen] = useState<PrintLanguage | null>(null);
  const language = chosen ?? usual;
  const texts = actionTexts[action];
  const plan = useOpeningQuery([organization.id, "bulk-plan", action, selection], () =>
    withBinding(organization.id, (binding) => commands.planBulkRun(binding, action, selection)),
  );
  const begin = (binding: WindowBinding, confirmed: BulkPlan): ReturnType<typeof commands.saveDocuments> => {
    switch (action) {
      case "issue":
        return commands.issueDocuments(binding, selection, confirmed);
      case "freeze":
        return commands.freezeDocuments(binding, selection, confirmed);
      case "savePdf":
        return commands.saveDocuments(binding, "pdf", language, selection, confirmed);
      case "saveUbl":
        return commands.saveDocuments(binding, "ubl", language, selection, confirmed);
    }
  };
  const start = async (confirmed: BulkPlan) => {
    setBusy(true);
    setFailure(null);
    try {
      const run = await withBinding(organization.id, (binding) => begin(binding, confirmed));
      // Without one no folder was chosen, and the question stays.
      if (run) onStarted(run);
    } catch (thrown) {
      showError(commandError(thrown), setFailure);
    } finally {
      setBusy(false);
    }
  };
  const error = failure ?? (plan.error ? commandError(plan.error) : null);
  const count = plan.data?.count ?? 0;
  const tryNow = () => void (failure && plan.data ? start(plan.data) : plan.refetch());
  const none = plan.data && count === 0 ? t(texts.none) : null;
  useAnnouncement(none);
  return (
    <Modal
      title={t(texts.title)}
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
              {t(texts.confirm, { count })}
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
        {count > 0 && <p>{t(texts.hint)}</p>}
        {count > 0 && action === "savePdf" && (
          <Select
            label={t("paper-language")}
            value={language}
            onChange={setChosen}
            choices={paperLanguages.map((id) => ({ id, label: t(`paper-${id}`) }))}
          />
        )}
        {/* The others have no rule but the state and the stamp, by which the documents are counted. */}
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
