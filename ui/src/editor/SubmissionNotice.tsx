/** The error of a submission that concerns the whole document, with the actions that resolve it. */

import { useQueryClient } from "@tanstack/react-query";
import { subjectName } from "../comparison/partText";
import { threeWayMerge } from "../comparison/threeWayMerge";
import { useNewDraft } from "../drafts/useNewDraft";
import { useOutcomeCheck } from "../drafts/useOutcomeCheck";
import { ErrorNotice } from "../errors/ErrorNotice";
import { RetryNotice, usePendingRetry } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import { creditNoteContent } from "../invoices/derivedContent";
import type { CommandError, Draft, InvoiceView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { invalidateDrafts } from "../queries/draftQueries";
import { useSignIn } from "../session/useSignIn";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import type { DraftEditor } from "./useDraftEditor";
import type { Submission } from "./useSubmission";

export interface SubmissionNoticeProps {
  editor: DraftEditor;
  submission: Submission;
  onCompare: () => void;
  onRetry: () => void;
}

export function SubmissionNotice({ editor, submission, onCompare, onRetry }: SubmissionNoticeProps) {
  const client = useQueryClient();
  const localizer = useLocalizer();
  const { organization, session } = useWorkspace();
  const { navigate, openInvoice } = useNavigation();
  const { start } = useNewDraft();
  const signIn = useSignIn();
  const outcome = useOutcomeCheck();
  const retry = usePendingRetry(["create_document", "update_document"]);
  const { draft } = editor.state;
  const unknown: CommandError | null =
    draft.state === "unknownOutcome" ? { kind: "unknownOutcome", key: draft.key, support: emptySupport(organization.id) } : null;
  const error = outcome.error ?? submission.error ?? unknown;
  if (submission.busy && retry) return <RetryNotice retry={retry} variant="card" />;
  if (!error || error.kind === "invalidArgument") return null;

  const discard = async () => {
    editor.autosave.stop();
    await withBinding(organization.id, (binding) => commands.discardDraft(binding, draft.key)).catch(() => undefined);
    invalidateDrafts(client, organization.id);
    navigate({ name: "invoices" });
  };
  const current = "current" in error ? error.current : null;
  return (
    <ErrorNotice
      error={error}
      variant="card"
      context={{ fields: current ? contestedFields(draft, current, localizer) : "" }}
      handlers={{
        tryNow: onRetry,
        compare: onCompare,
        discardDraft: () => void discard(),
        checkNow: () => outcome.check(draft.key),
        openDrafts: () => navigate({ name: "drafts" }),
        backToList: () => navigate({ name: "invoices" }),
        signIn: () => signIn.start(session.environment.name),
        refreshOrganizations: signIn.refreshOrganizations,
        ...(current && {
          creditNote: () => start({ ...creditNoteContent(current), lines: draft.content.lines, note: draft.content.note }),
          open: () => {
            openInvoice(current.row.key);
            navigate({ name: "invoices" });
          },
        }),
      }}
    />
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
  return { code: null, status: null, operation: "", organization, time: "", correlationId: "", message: "", retryAfter: null };
}
