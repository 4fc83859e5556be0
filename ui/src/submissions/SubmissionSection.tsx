/** What the tax authority says about a document: that it waits, that it is accepted, or why it is refused. */

import { useState } from "react";
import { Button } from "../components/Button";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceRow, SubmissionView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { timeText } from "../shell/timeText";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AuthorityMessages } from "./AuthorityMessages";
import { AuthorityProblemText } from "./AuthorityProblemText";
import { isWaiting, useSubmissionState } from "./submissionQuery";

export function SubmissionSection({ row }: { row: InvoiceRow }) {
  const { t } = useLocalizer();
  const submission = useSubmissionState(row);
  const [opened, setOpened] = useState(submission.data?.state);
  if (opened === undefined && submission.data) setOpened(submission.data.state);
  // The document is shown whether or not this can be read.
  if (!submission.data) return null;
  const { state, messages, hasWarnings } = submission.data;
  // What the document was opened with is a part of it; a change of it is announced.
  const about = state === opened ? null : state;
  return (
    <section aria-label={t("submission")} className="pb-3">
      {isWaiting(submission.data) ? (
        <Waiting row={row} submission={submission.data} about={about} onSent={() => void submission.refetch()} />
      ) : (
        <Notice
          severity={state === "rejected" ? "error" : hasWarnings ? "warning" : "info"}
          variant="card"
          text={t(answerText(submission.data), { number: row.number })}
          about={about}
        >
          {messages.length > 0 && <AuthorityMessages messages={messages} />}
        </Notice>
      )}
    </section>
  );
}

type AnswerText =
  | "submission-rejected-text"
  | "submission-remarks"
  | "submission-cleared"
  | "submission-reported"
  | "submission-accepted";

function answerText({ state, hasWarnings }: SubmissionView): AnswerText {
  if (state === "rejected") return "submission-rejected-text";
  if (hasWarnings) return "submission-remarks";
  return state === "cleared" || state === "reported" ? `submission-${state}` : "submission-accepted";
}

interface WaitingProps {
  row: InvoiceRow;
  submission: SubmissionView;
  about: string | null;
  onSent: () => void;
}

function Waiting({ row, submission, about, onSent }: WaitingProps) {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const { run, busy, error } = useCommandCalls();
  const send = async () => {
    await run(() => withBinding(organization.id, (binding) => commands.retrySubmission(binding, row.key)));
    onSent();
  };
  return (
    <Notice
      severity="warning"
      variant="card"
      text={t(submission.state === "pending" ? "submission-pending-text" : "submission-unanswered-text", { number: row.number })}
      about={about}
      buttons={
        <Button size="sm" isBusy={busy} onPress={() => void send()}>
          {t("submission-send-now")}
        </Button>
      }
    >
      {submission.nextAttempt !== null && <p>{t("submission-next", { time: timeText(submission.nextAttempt, format) })}</p>}
      {submission.problem && <AuthorityProblemText problem={submission.problem} />}
      {error && <ErrorNotice error={error} variant="inline" />}
    </Notice>
  );
}
