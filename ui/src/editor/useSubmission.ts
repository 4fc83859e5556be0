/** Sends a saved draft. The core validates it first, by the rules of the service, so that an invalid draft is never sent. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { announce } from "../components/announce";
import { showStatus } from "../components/statusMessage";
import { useIsShown } from "../components/useIsShown";
import { useShowError } from "../errors/useShowError";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { type LifecycleAction, runLifecycleSteps, type StepsOutcome, setUnfinishedSteps } from "../invoices/lifecycleSteps";
import type { Calculation, CommandError, Draft, InvoiceView, SimilarDocuments, Support } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { rememberDocument } from "../parties/memoryQueries";
import { invalidateDocuments } from "../queries/documentWrites";
import { draftKey, invalidateDrafts, refusalOf } from "../queries/draftQueries";
import { invoiceKey } from "../queries/invoiceQuery";
import { setAnswer } from "../queries/setAnswer";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { nothingSimilar, similarKeys } from "./similar";
import type { DraftEditor } from "./useDraftEditor";

export interface Submission {
  /** Whether the document is being checked or sent: what is typed now would not be in it. */
  busy: boolean;
  error: CommandError | null;
  /** What the new document may repeat: it is not sent before somebody has seen that. `null`: nothing is asked. */
  similar: SimilarDocuments | null;
  /** Saves the document, and then issues or freezes it. `seen`: what it may repeat, as a confirmation has shown it. */
  submit: (steps?: readonly LifecycleAction[], seen?: SimilarDocuments) => Promise<void>;
  /** Checks the content without saving it to the service: what a confirmation shows, or `null` after showing what is wrong. */
  check: () => Promise<Checked | null>;
  /** Saves the document after the similar ones were seen. */
  submitAnyway: () => void;
  clear: () => void;
}

/** What a confirmation shows of a content that is right. */
export interface Checked {
  calculation: Calculation;
  /** What the new document may repeat. */
  similar: SimilarDocuments;
}

export function useSubmission(editor: DraftEditor): Submission {
  const client = useQueryClient();
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate, openInvoice } = useNavigation();
  const [busy, setBusy] = useState(false);
  const { id } = organization;
  const { draft } = editor.state;
  // The document that is edited may have been refused when it was issued.
  const [error, setError] = useState(() => refusalOf(client, id, draft.key));
  const [similar, setSimilar] = useState<SimilarDocuments | null>(null);
  // An answer can take long. Who has left the form meanwhile is told of it, and stays with what is shown then.
  const isShown = useIsShown();
  const showError = useShowError();
  /** Whether the form is shown, or another one of the draft, which was opened again. */
  const isFormShown = () =>
    isShown.current ||
    client
      .getQueryCache()
      .find({ queryKey: draftKey(id, draft.key) })
      ?.isActive() === true;

  /** What only a form can show, it shows when the draft is saved again. */
  const showFailure = (failed: CommandError) => {
    const isOfForm = failed.kind === "invalidArgument" || failed.kind === "aborted" || failed.kind === "alreadyExists";
    if (isOfForm && !isShown.current) showStatus(t("not-sent-unseen", { organization: organization.name }));
    else showError(failed, setError);
  };

  /** Saves what was typed on this computer, and checks it by the rules of the service. */
  async function checked(): Promise<Calculation | null> {
    await editor.autosave.flush();
    const calculation = await withBinding(id, (binding) => commands.calculate(binding, draft.content));
    editor.setCalculation(calculation);
    const { violations } = calculation;
    if (violations.length === 0) return calculation;
    showFailure({ kind: "invalidArgument", violations, support: localSupport(id, "calculate") });
    return null;
  }

  async function check() {
    if (busy) return null;
    // What is confirmed is what was checked: nothing is typed meanwhile.
    setBusy(true);
    setError(null);
    try {
      const calculation = await checked();
      if (calculation === null) return null;
      const found = draft.changes === null ? await similarDocuments(id, draft) : nothingSimilar;
      // Nobody is asked to confirm it any more.
      if (!isShown.current) showStatus(t("not-sent-unseen", { organization: organization.name }));
      return { calculation, similar: found };
    } catch (thrown) {
      showFailure(commandError(thrown));
      return null;
    } finally {
      setBusy(false);
    }
  }

  async function submit(steps: readonly LifecycleAction[] = [], seen: SimilarDocuments | null = null) {
    if (busy) return;
    setBusy(true);
    setError(null);
    setSimilar(null);
    try {
      if ((await checked()) === null) return;
      if (draft.changes === null) {
        const found = seen ?? (await similarDocuments(id, draft));
        const keys = similarKeys(found);
        if (keys.length > 0 && !seen) {
          // Another form of the draft does not know of them either.
          if (isShown.current) setSimilar(found);
          else showStatus(t("similar-unseen", { organization: organization.name }));
          return;
        }
        // The outbox, which may send it later, does not ask again for what was seen.
        if (keys.length > 0) await withBinding(id, (binding) => commands.acceptSimilar(binding, draft.key, keys));
      }
      const send = draft.changes === null ? commands.createDocument : commands.updateDocument;
      const saved = await withBinding(id, (binding) => send(binding, draft.key));
      editor.autosave.stop();
      const { key } = saved.row;
      setAnswer(client, invoiceKey(id, key), saved);
      invalidateDocuments(client, id);
      invalidateDrafts(client, id);
      void rememberDocument(client, id, key, draft.content.dueTerms ?? null);
      const { view, unfinished } = saved.merged
        ? withUnseenChange(id, saved, steps)
        : await runLifecycleSteps(client, id, saved, steps);
      setUnfinishedSteps(client, id, key, unfinished);
      const { number } = view.row;
      const last = steps.at(-1);
      const tell = isFormShown() ? announce : showStatus;
      // The document that is opened now shows it in the same words.
      if (unfinished) tell(unfinished.steps[0] === "issue" ? t("saved-not-issued") : t("issued-not-frozen", { number }));
      else if (last) tell(t(last === "issue" ? "issued-announcement" : "frozen-announcement", { number }));
      else tell(t("saved-announcement", { organization: organization.name }));
      if (!isFormShown()) {
        // The document says why, and is not opened now.
        if (unfinished) showWindowError(unfinished.error);
        return;
      }
      openInvoice(key);
      navigate({ name: "invoices" });
    } catch (thrown) {
      const failed = commandError(thrown);
      // Its state is another one: it waits, or its outcome is unknown.
      invalidateDrafts(client, id);
      if (failed.kind !== "offline") {
        showFailure(failed);
        return;
      }
      // The outbox sends the draft when there is a connection, so the editor stops saving it.
      editor.autosave.stop();
      const queued = steps.length > 0 ? "queued-not-issued" : "queued-announcement";
      showStatus(t(queued, { organization: organization.name }));
      if (isFormShown()) navigate({ name: "drafts" });
    } finally {
      setBusy(false);
    }
  }
  return {
    busy,
    error,
    similar,
    submit,
    check,
    submitAnyway: () => void submit([], similar ?? nothingSimilar),
    clear: () => {
      setError(null);
      setSimilar(null);
    },
  };
}

/** An aid: without an answer the document is sent. */
async function similarDocuments(organization: string, { key, content }: Draft): Promise<SimilarDocuments> {
  try {
    return await withBinding(organization, (binding) => commands.similarDocuments(binding, key, content));
  } catch {
    return nothingSimilar;
  }
}

/** The document has what somebody else has changed meanwhile, which nobody has confirmed: it is looked at before a next step. */
function withUnseenChange(organization: string, view: InvoiceView, steps: readonly LifecycleAction[]): StepsOutcome {
  const [next] = steps;
  if (!next) return { view, unfinished: null };
  const support = localSupport(organization, next === "issue" ? "issue_document" : "freeze_document");
  return { view, unfinished: { steps, error: { kind: "aborted", current: view, support } } };
}

/** What was found out without a request has no details for support. */
function localSupport(organization: string, operation: string): Support {
  return {
    code: null,
    status: null,
    reason: "",
    operation,
    organization,
    time: "",
    correlationId: "",
    message: "",
    retryAfter: null,
  };
}
