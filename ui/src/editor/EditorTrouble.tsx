/** Why a draft could not be saved, when it is not a matter of its fields. */

import { useQueryClient } from "@tanstack/react-query";
import { useNavigation } from "../app/navigation";
import { useWorkplace } from "../app/workplace";
import { draftsHaveChanged } from "../drafts/draftsQuery";
import { useOutcomeCheck } from "../drafts/useOutcomeCheck";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useWait, WaitNotice } from "../errors/WaitNotice";
import { creditNote } from "../invoices/corrections";
import type { CommandError } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { atPlace } from "../session/atPlace";
import { useSignIn } from "../session/useSignIn";
import type { DraftEditor } from "./useDraftEditor";
import { useNewDraft } from "./useNewDraft";
import type { Submission } from "./useSubmit";

export interface EditorTroubleProps {
  editor: DraftEditor;
  submission: Submission;
  onCompare: () => void;
  onRetry: () => void;
}

export function EditorTrouble({ editor, submission, onCompare, onRetry }: EditorTroubleProps) {
  const client = useQueryClient();
  const { organization, session } = useWorkplace();
  const { go, open } = useNavigation();
  const { start } = useNewDraft();
  const signIn = useSignIn();
  const outcome = useOutcomeCheck();
  const wait = useWait(["create_invoice", "create_document", "update_document"]);
  const { draft } = editor.state;
  const unknown: CommandError | null =
    draft.state === "unknownOutcome" ? { kind: "unknownOutcome", key: draft.key, support: nothingKnown(organization.id) } : null;
  const error = outcome.error ?? submission.error ?? unknown;
  if (submission.busy && wait) return <WaitNotice wait={wait} shape="card" />;
  if (!error || error.kind === "invalidArgument") return null;

  const discard = async () => {
    editor.stop();
    await atPlace(organization.id, (at) => commands.discardDraft(at, draft.key)).catch(() => undefined);
    draftsHaveChanged(client, organization.id);
    go({ name: "invoices" });
  };
  const current = "current" in error ? error.current : null;
  return (
    <ErrorNotice
      error={error}
      shape="card"
      handlers={{
        tryNow: onRetry,
        compare: onCompare,
        discardDraft: () => void discard(),
        checkNow: () => outcome.check(draft.key),
        leaveToInbox: () => go({ name: "drafts" }),
        backToList: () => go({ name: "invoices" }),
        signIn: () => signIn.start(session.environment.name),
        refreshOrganizations: signIn.refreshOrganizations,
        ...(current && {
          creditNote: () => start({ ...creditNote(current), lines: draft.content.lines, note: draft.content.note }),
          open: () => {
            open(current.row.key);
            go({ name: "invoices" });
          },
        }),
      }}
    />
  );
}

/** The answer was lost in an earlier session: its details are not known any more. */
function nothingKnown(organization: string) {
  return { code: null, status: null, operation: "", organization, time: "", correlationId: "", message: "", retryAfter: null };
}
