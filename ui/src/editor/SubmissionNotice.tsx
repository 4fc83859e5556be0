/** The error of a submission that concerns the whole document, with the actions that resolve it. */

import { useEffect, useRef, useState } from "react";
import { subjectName } from "../comparison/partText";
import { threeWayMerge } from "../comparison/threeWayMerge";
import { keepFocus } from "../components/keepFocus";
import { useNewDraft } from "../drafts/useNewDraft";
import { useOutcomeCheck } from "../drafts/useOutcomeCheck";
import { useSettledOutcome } from "../drafts/useSettledOutcome";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { showWindowError } from "../errors/windowError";
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
  const { navigate } = useNavigation();
  const { start } = useNewDraft(showWindowError);
  const outcome = useOutcomeCheck();
  const [discarding, setDiscarding] = useState(false);
  const retry = usePendingRetry(["create_document", "update_document"]);
  const { draft } = editor.state;
  const unknown: CommandError | null =
    draft.state === "unknownOutcome" ? { kind: "unknownOutcome", key: draft.key, support: emptySupport(organization.id) } : null;
  const error = outcome.error ?? submission.error ?? unknown;
  const isUnknown = isOutcomeUnknown(draft, submission);
  const check = () => outcome.check(draft.key);
  // The core asks by itself, and a form that goes on saying that it is being checked would be wrong.
  useSettledOutcome(draft.key, isUnknown, () => {
    if (outcome.checking === null) check();
  });
  // The fields under the notice are disabled, and the one that had the focus has lost it.
  const box = useRef<HTMLDivElement>(null);
  const kind = error?.kind;
  useEffect(() => {
    if (kind) keepFocus(() => box.current?.querySelector<HTMLElement>("[data-actions] button") ?? null);
  }, [kind]);
  if (submission.busy && retry) return <RetryNotice retry={retry} variant="card" />;
  if (!error || error.kind === "invalidArgument") return null;

  const current = "current" in error ? error.current : null;
  const notice = (
    <ErrorNotice
      error={error}
      variant="card"
      context={{ fields: current ? contestedFields(draft, current, localizer) : "" }}
      handlers={{
        // A check that failed is repeated, and nothing is sent.
        tryNow: isUnknown ? check : onRetry,
        compare: onCompare,
        discardDraft: () => setDiscarding(true),
        checkNow: check,
        backToList: () => navigate({ name: "invoices" }),
        ...(current && {
          creditNote: () => {
            const { lines, note, noteAr } = draft.content;
            void start({ ...creditNoteContent(current), lines, note, noteAr });
          },
        }),
      }}
    />
  );
  return (
    <>
      <div ref={box}>{notice}</div>
      <DiscardDraftDialog
        draftKey={draft.key}
        isOpen={discarding}
        autosave={editor.autosave}
        onClose={() => setDiscarding(false)}
      />
    </>
  );
}

/** Whether the service may have the document of a form. Nothing is typed into it until that is known (decision 0097). */
export function isOutcomeUnknown(draft: Draft, submission: Pick<Submission, "error">): boolean {
  return draft.state === "unknownOutcome" || submission.error?.kind === "unknownOutcome";
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
