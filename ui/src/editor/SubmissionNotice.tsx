/** The error of a submission that concerns the whole document, with the actions that resolve it. */

import { useState } from "react";
import { subjectName } from "../comparison/partText";
import { threeWayMerge } from "../comparison/threeWayMerge";
import { useNewDraft } from "../drafts/useNewDraft";
import { useOutcomeCheck } from "../drafts/useOutcomeCheck";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import { creditNoteContent } from "../invoices/derivedContent";
import type { CommandError, Draft, InvoiceView } from "../ipc/bindings";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { DiscardDraftDialog } from "./DiscardDraft";
import type { DraftEditor } from "./useDraftEditor";
import type { Submission } from "./useSubmission";

export interface SubmissionNoticeProps {
  editor: DraftEditor;
  submission: Submission;
  onCompare: () => void;
  onRetry: () => void;
}

export function SubmissionNotice({ editor, submission, onCompare, onRetry }: SubmissionNoticeProps) {
  const localizer = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate, openInvoice } = useNavigation();
  const { start } = useNewDraft();
  const outcome = useOutcomeCheck();
  const [discarding, setDiscarding] = useState(false);
  const retry = usePendingRetry(["create_document", "update_document"]);
  const { draft } = editor.state;
  const unknown: CommandError | null =
    draft.state === "unknownOutcome" ? { kind: "unknownOutcome", key: draft.key, support: emptySupport(organization.id) } : null;
  const error = outcome.error ?? submission.error ?? unknown;
  if (submission.busy && retry) return <RetryNotice retry={retry} variant="card" />;
  if (!error || error.kind === "invalidArgument") return null;

  const current = "current" in error ? error.current : null;
  const notice = (
    <ErrorNotice
      error={error}
      variant="card"
      context={{ fields: current ? contestedFields(draft, current, localizer) : "" }}
      handlers={{
        tryNow: onRetry,
        compare: onCompare,
        discardDraft: () => setDiscarding(true),
        checkNow: () => outcome.check(draft.key),
        backToList: () => navigate({ name: "invoices" }),
        ...(current && {
          creditNote: () => {
            const { lines, note, noteAr } = draft.content;
            void start({ ...creditNoteContent(current), lines, note, noteAr });
          },
          open: () => {
            openInvoice(current.row.key);
            navigate({ name: "invoices" });
          },
        }),
      }}
    />
  );
  return (
    <>
      {notice}
      <DiscardDraftDialog
        draftKey={draft.key}
        isOpen={discarding}
        onDiscard={editor.autosave.stop}
        onClose={() => setDiscarding(false)}
      />
    </>
  );
}

/** The names of the fields that both users changed. */
function contestedFields(draft: Draft, current: InvoiceView, localizer: Localizer): string {
  if (!draft.changes) return "";
  const { conflicts } = threeWayMerge(draft.changes.content, draft.content, current.content);
  return localizer.format.list(conflicts.map(({ subject }) => subjectName(subject, localizer)));
}

/** The answer was lost in an earlier session, so there are no details for support. */
function emptySupport(organization: string) {
  return {
    code: null,
    status: null,
    reason: "",
    operation: "",
    organization,
    time: "",
    correlationId: "",
    message: "",
    retryAfter: null,
  };
}
