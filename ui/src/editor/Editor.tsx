/** The invoice form: error summary, header, buyer, lines, and the totals in a fixed footer. */

import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { keepFocus } from "../components/keepFocus";
import { lazyComponent, lazyDialog } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { useLatest } from "../components/useLatest";
import { CreditLimit } from "../credit/CreditLimit";
import { Notice } from "../errors/Notice";
import { OwnTenantHint } from "../errors/OwnTenantHint";
import { lifecycleStepOf } from "../errors/operations";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft, DueTerms } from "../ipc/bindings";
import { PaperBesideForm } from "../paper/PaperBesideForm";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { useWorkspace } from "../state/workspace";
import { AuthorityMessages } from "../submissions/AuthorityMessages";
import { useRejection } from "../submissions/useRejection";
import { BuyerCurrencyNotice } from "./BuyerCurrencyNotice";
import { BuyerFields } from "./BuyerFields";
import { DocumentDetails } from "./details/DocumentDetails";
import { detailsOf } from "./details/detailFields";
import { useRowShortcut } from "./details/useLineMore";
import { useSellerCountry } from "./details/useSellerCountry";
import { withDefaults } from "./draftReducer";
import { EditorForm } from "./EditorForm";
import { EditorHeader } from "./EditorHeader";
import { ErrorSummary } from "./ErrorSummary";
import { adjacentField, FIRST_SEGMENT, firstEmptyField, focusField, isOfSeller, nearestInput, unreadable } from "./fields";
import { HeaderFields } from "./HeaderFields";
import { IssueDialog } from "./IssueDialog";
import { missingAmount, withoutEmptyEnd } from "./invoiceLines";
import { LineGrid } from "./LineGrid";
import { NoteField } from "./NoteField";
import { SaveFailure } from "./SaveStatus";
import { SimilarDocuments } from "./SimilarDocuments";
import { isOutcomeUnknown, SubmissionNotice } from "./SubmissionNotice";
import { Totals } from "./Totals";
import { useAfterFills } from "./useAfterFills";
import { useBuyerChoice } from "./useBuyerChoice";
import { useDocumentDefaults } from "./useDocumentDefaults";
import { useDraftEditor } from "./useDraftEditor";
import { useFieldErrors } from "./useFieldErrors";
import { type Checked, useSubmission } from "./useSubmission";

const CompareDialog = lazyDialog(async () => (await import("./CompareDialog")).CompareDialog);
const ExplanationDialog = lazyDialog(async () => (await import("./details/ExplanationDialog")).ExplanationDialog);
const AttachmentsSection = lazyComponent(async () => (await import("../attachments/AttachmentsSection")).AttachmentsSection);

export function Editor({ draft: initial }: { draft: Draft }) {
  const { t, language } = useLocalizer();
  const { organization } = useWorkspace();
  const [defaults] = useState(useDocumentDefaults());
  const [opened] = useState(() => withDefaults(initial, defaults));
  const editor = useDraftEditor(opened, defaults);
  const submission = useSubmission(editor);
  const { state, dispatch, calculation, autosave } = editor;
  const { draft } = state;
  const { content } = draft;
  const [comparing, setComparing] = useState(false);
  // What a confirmation of issuing shows.
  const [issuing, setIssuing] = useState<Checked | null>(null);

  // Errors are shown after the first attempt to save, and follow the input from then on. Before it, only what cannot be read is
  // shown, once its field is left.
  const refused = submission.error?.kind === "invalidArgument" ? submission.error.violations : null;
  const fromService = submission.error?.kind === "invalidArgument" && submission.error.support.code !== null;
  const [focused, setFocused] = useState<string | null>(null);
  const violations = !refused
    ? unreadable(calculation?.violations ?? [], content, focused)
    : !fromService && calculation
      ? calculation.violations
      : refused;
  // What the tax authority has said about the document as it was issued, until the content is checked anew.
  const rejection = useRejection(draft);
  const { fieldErrors, messages } = useFieldErrors(violations, content, refused ? undefined : rejection.fieldErrors);
  const count = fieldErrors.length;
  const summaryTitle =
    submission.error?.kind === "invalidArgument" && lifecycleStepOf(submission.error.support.operation) === "issue"
      ? t("error-not-issuable", { count, number: t("this-document") })
      : t("error-invalid", { count, organization: organization.name });
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (refused) summary.current?.focus();
  }, [refused]);

  // What is said of the whole document stands above the form, of which the end may be shown.
  const section = useRef<HTMLElement>(null);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!submission.error || submission.error.kind === "invalidArgument") return;
    // In a low window the section scrolls, with all that is in it.
    for (const { current } of [section, form]) current?.scrollTo({ top: 0 });
  }, [submission.error]);

  // What has to be corrected, or the first field that is still empty; of a document that is changed, the buyer.
  const [firstField] = useState(() => (refused ? null : firstEmptyField(opened.content, language)));
  useEffect(() => {
    if (firstField !== null) focusField(firstField);
  }, [firstField]);

  const contested =
    submission.error?.kind === "aborted" || submission.error?.kind === "alreadyExists" ? submission.error.current : null;
  const closed = submission.error?.kind === "failedPrecondition" || isOutcomeUnknown(draft, submission);
  // What is changed while the document is sent would not be in it.
  const latestBusy = useLatest(submission.busy);
  const edit = useCallback<typeof dispatch>(
    (action) => {
      if (!latestBusy.current) dispatch(action);
    },
    [dispatch, latestBusy],
  );
  const onFieldChange = useCallback((path: string, text: string) => edit({ type: "fieldChanged", path, text }), [edit]);
  const onDueDate = useCallback(
    (dueDate: string, terms: DueTerms | null) => edit({ type: "dueDateGiven", dueDate, terms }),
    [edit],
  );
  const jump = (by: 1 | -1) => focusField(adjacentField([...new Set(fieldErrors.flatMap(({ field }) => field ?? []))], by));
  const send = useAfterFills(editor.filling, (then: "save" | "confirmIssue") => {
    if (closed || submission.busy) return;
    if (then === "save") void submission.submit();
    else void submission.check().then(setIssuing);
  });
  const latestClosed = useLatest(closed);
  const begin = useCallback(
    (then: "save" | "confirmIssue") => {
      if (latestClosed.current) return;
      // Enter in the last line has added them. The send that follows has the document without them.
      edit({ type: "emptyEndRemoved" });
      send(then);
    },
    [edit, send, latestClosed],
  );
  const submit = useCallback(() => begin("save"), [begin]);
  const confirmIssue = useCallback(() => begin("confirmIssue"), [begin]);
  const latestContent = useLatest(content);
  const contentOf = useCallback(() => latestContent.current, [latestContent]);
  // A change takes away the field that has the focus, as undo takes back a line that was just added.
  const lastField = useRef("");
  useFocusAfterRemoval(section, () => nearestInput(lastField.current));
  useShortcut("submit", submit);
  useShortcut("save", submit, true, { within: section });
  useShortcut("submitAndIssue", confirmIssue, useDocumentPermissions().issueDocuments);
  const [explained, setExplained] = useState<string | null>(null);
  const country = useSellerCountry();
  useRowShortcut("explain", section, (row) => setExplained(row === null ? "totals.payable" : `lines[${row}].net`));
  useShortcut("undo", () => edit({ type: "undone" }), !closed, { within: section });
  useShortcut("redo", () => edit({ type: "redone" }), !closed, { within: section });
  useShortcut("nextError", () => jump(1), fieldErrors.length > 0);
  useShortcut("previousError", () => jump(-1), fieldErrors.length > 0);

  const buyerChoice = useBuyerChoice({ state, dispatch: edit, isReadOnly: submission.busy });
  const { withOtherCurrency } = buyerChoice;
  return (
    // The section only hears which of its fields has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={section}
      onFocus={(event) => {
        const field = event.target.closest<HTMLElement>("[data-field]")?.dataset["field"] ?? null;
        setFocused(field);
        lastField.current = field ?? "";
      }}
      onBlur={() => setFocused(null)}
      className="form-beside-paper min-w-0 flex-1"
      aria-labelledby="editor-title"
    >
      <EditorHeader
        draftKey={draft.key}
        kind={content.kind}
        isChange={draft.changes !== null}
        contentOf={contentOf}
        autosave={autosave}
        withDraft={editor.withDraft}
        filling={editor.filling}
        isDisabled={closed}
        isBusy={submission.busy}
        onSave={submit}
        onSaveAndIssue={confirmIssue}
      />
      <EditorForm messages={messages} isReadOnly={submission.busy} className="flex min-h-0 flex-1 flex-col">
        <div ref={form} className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex max-w-300 flex-col gap-5 p-4">
            <SaveFailure autosave={autosave} />
            <SubmissionNotice editor={editor} submission={submission} onCompare={() => setComparing(true)} onRetry={submit} />
            {refused && fieldErrors.length > 0 && (
              <ErrorSummary ref={summary} fieldErrors={fieldErrors} title={summaryTitle} onGo={focusField}>
                {refused.some(({ path }) => isOfSeller(path)) && <OwnTenantHint />}
              </ErrorSummary>
            )}
            {!refused && rejection.messages.length > 0 && (
              <Notice severity="warning" variant="card" text={t("rejection-title")}>
                <AuthorityMessages messages={rejection.messages} onGo={focusField} />
              </Notice>
            )}
            <HeaderFields content={content} onFieldChange={onFieldChange} onDueDate={onDueDate} isDisabled={closed} />
            <CreditLimit content={content} calculation={calculation} />
            <DocumentDetails
              details={detailsOf(content)}
              currency={content.currency}
              country={country}
              standardRate={defaults.standardRate}
              fieldErrors={fieldErrors}
              isDisabled={closed}
              dispatch={edit}
            />
            <BuyerFields
              buyer={content.buyer}
              onFieldChange={onFieldChange}
              isDisabled={closed}
              onParty={buyerChoice.choose}
              onKept={buyerChoice.setChosen}
              chosen={buyerChoice.chosen}
              country={country}
              errors={fieldErrors.filter(({ field }) => field?.startsWith("buyer.details.")).length}
              dispatch={edit}
            />
            {!closed && withOtherCurrency && (
              <BuyerCurrencyNotice
                party={withOtherCurrency}
                currency={content.currency}
                onCurrency={(currency) => onFieldChange("currency", currency)}
              />
            )}
            <LineGrid
              state={state}
              dispatch={edit}
              trackFill={editor.trackFill}
              calculation={calculation}
              fieldErrors={fieldErrors}
              isDisabled={closed}
              isReadOnly={submission.busy}
              country={country}
              onExplain={setExplained}
            />
            <NoteField note={content.note} noteAr={content.noteAr} onFieldChange={onFieldChange} isDisabled={closed} />
            <Suspense>
              <AttachmentsSection document={draft.key} whenReady={editor.withDraft} />
            </Suspense>
          </div>
        </div>
        <Totals
          calculation={calculation}
          isLate={editor.isCalculationLate}
          currency={content.currency}
          missing={missingAmount(content)}
          onExplain={setExplained}
        />
      </EditorForm>
      {explained !== null && (
        <ExplanationDialog
          isOpen
          onClose={() => setExplained(null)}
          content={withoutEmptyEnd(content)}
          taxBreakdown={calculation?.taxBreakdown ?? []}
          path={explained}
        />
      )}
      {issuing && (
        <IssueDialog
          content={content}
          checked={issuing}
          busy={submission.busy}
          onConfirm={(steps) => void submission.submit(steps, issuing.similar).finally(() => setIssuing(null))}
          onClose={() => setIssuing(null)}
        />
      )}
      {submission.similar && (
        <SimilarDocuments similar={submission.similar} onSave={submission.submitAnyway} onClose={submission.clear} />
      )}
      {contested && (
        <CompareDialog
          key={contested.row.stamp}
          isOpen={comparing}
          onClose={() => setComparing(false)}
          draft={draft}
          current={contested}
          onMerged={(merged, rebase) => {
            setComparing(false);
            submission.clear();
            dispatch({ type: "rebased", draft: merged, rebase });
            // The button that opened the comparison goes with its notice.
            keepFocus(() => section.current?.querySelector<HTMLElement>(FIRST_SEGMENT) ?? null);
          }}
        />
      )}
      <PaperBesideForm draft={draft} country={country} />
    </section>
  );
}
