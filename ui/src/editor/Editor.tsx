/** The invoice form: error summary, header, buyer, lines, and the totals in a fixed footer. */

import { ArrowLeft } from "lucide-react";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button, IconButton } from "../components/Button";
import { lazyComponent, lazyDialog } from "../components/lazyComponent";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { useShortcut } from "../components/shortcuts";
import { CreditLimit } from "../credit/CreditLimit";
import { ErrorNotice, Notice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft } from "../ipc/bindings";
import { PaperBesideForm } from "../paper/PaperBesideForm";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { AuthorityMessages } from "../submissions/AuthorityMessages";
import { useRejection } from "../submissions/useRejection";
import { SaveTemplate } from "../templates/SaveTemplate";
import { BuyerFields } from "./BuyerFields";
import { DiscardDraft } from "./DiscardDraft";
import { DocumentDetails } from "./details/DocumentDetails";
import { detailsOf } from "./details/detailFields";
import { useRowShortcut } from "./details/useLineMore";
import { useSellerCountry } from "./details/useSellerCountry";
import { withDefaults } from "./draftReducer";
import { EditorForm } from "./EditorForm";
import { ErrorSummary } from "./ErrorSummary";
import { adjacentField, adjacentSection, firstEmptyField, focusField, messagesByField, unreadable } from "./fields";
import { HeaderFields } from "./HeaderFields";
import { IssueDialog } from "./IssueDialog";
import { missingAmount } from "./invoiceLines";
import { LineGrid } from "./LineGrid";
import { NoteField } from "./NoteField";
import { SaveStatus } from "./SaveStatus";
import { SimilarDocuments } from "./SimilarDocuments";
import { SubmissionNotice } from "./SubmissionNotice";
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
  const { navigate } = useNavigation();
  const [defaults] = useState(useDocumentDefaults());
  const [opened] = useState(() => withDefaults(initial, defaults));
  const editor = useDraftEditor(opened, defaults.standardRate);
  const submission = useSubmission(editor);
  const { state, dispatch, calculation, saveState } = editor;
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
  const { fieldErrors, messages: found } = useFieldErrors(violations, content);
  // What the tax authority has said about the document as it was issued, until the content is checked anew.
  const rejection = useRejection(draft);
  const messages = useMemo(
    () => (refused ? found : { ...messagesByField(rejection.fieldErrors), ...found }),
    [refused, found, rejection.fieldErrors],
  );
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (refused) summary.current?.focus();
  }, [refused]);

  // The first field that is still empty; of a document that is changed, the buyer.
  const [firstField] = useState(() => firstEmptyField(opened.content, language));
  useEffect(() => focusField(firstField), [firstField]);

  const contested =
    submission.error?.kind === "aborted" || submission.error?.kind === "alreadyExists" ? submission.error.current : null;
  const closed = submission.error?.kind === "failedPrecondition" || draft.state === "unknownOutcome";
  const onFieldChange = useCallback((path: string, text: string) => dispatch({ type: "fieldChanged", path, text }), [dispatch]);
  const jump = (by: 1 | -1) => focusField(adjacentField([...new Set(fieldErrors.flatMap(({ field }) => field ?? []))], by));
  const send = useAfterFills(editor.filling, (then: "save" | "confirmIssue") => {
    if (closed || submission.busy) return;
    if (then === "save") void submission.submit();
    else void submission.check().then(setIssuing);
  });
  const submit = () => send("save");
  const confirmIssue = () => send("confirmIssue");
  useShortcut("submit", submit);
  useShortcut("submitAndIssue", confirmIssue);
  useShortcut("nextSection", () => focusField(adjacentSection(content, 1)));
  useShortcut("previousSection", () => focusField(adjacentSection(content, -1)));
  const section = useRef<HTMLElement>(null);
  const [explained, setExplained] = useState<string | null>(null);
  const country = useSellerCountry();
  useRowShortcut("explain", section, (row) => setExplained(row === null ? "totals.payable" : `lines[${row}].net`));
  useShortcut("undo", () => dispatch({ type: "undone" }), !closed, section);
  useShortcut("redo", () => dispatch({ type: "redone" }), !closed, section);
  useShortcut("nextError", () => jump(1), fieldErrors.length > 0);
  useShortcut("previousError", () => jump(-1), fieldErrors.length > 0);

  const fillBuyer = useBuyerChoice(editor);
  const fields = { content, onFieldChange, isDisabled: closed };
  return (
    // The section only hears which of its fields has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={section}
      onFocus={(event) => setFocused(event.target.closest<HTMLElement>("[data-field]")?.dataset["field"] ?? null)}
      onBlur={() => setFocused(null)}
      className="form-beside-paper min-w-0 flex-1"
      aria-labelledby="editor-title"
    >
      <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <IconButton
          label={t("back")}
          icon={<ArrowLeft size={16} aria-hidden="true" className="mirror-in-rtl" />}
          onPress={() => navigate({ name: "invoices" })}
        />
        <h1 id="editor-title" className="font-semibold text-md">
          {t(draft.changes ? "editor-change" : `editor-new-${content.kind}`)}
        </h1>
        <SaveStatus saveState={saveState} />
        <span className="flex-1" />
        {content.kind === "invoice" && <SaveTemplate content={content} />}
        <DiscardDraft draftKey={draft.key} onDiscard={editor.stop} />
        <Button shortcut="submitAndIssue" isDisabled={closed || submission.busy} onPress={confirmIssue}>
          {t("save-issue")}
        </Button>
        <Button
          variant="primary"
          shortcut="submit"
          isDisabled={closed || submission.busy}
          onPress={submit}
          icon={<OrganizationBadge organization={organization} size="sm" />}
        >
          {t("save-to", { organization: organization.name })}
        </Button>
      </header>
      <EditorForm messages={messages} className="flex min-h-0 flex-1 flex-col">
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex max-w-300 flex-col gap-5 p-4">
            {saveState.state === "failed" && (
              <ErrorNotice
                error={saveState.error}
                variant="card"
                handlers={{ tryNow: () => void editor.flush().catch(() => undefined) }}
              />
            )}
            <SubmissionNotice editor={editor} submission={submission} onCompare={() => setComparing(true)} onRetry={submit} />
            {refused && fieldErrors.length > 0 && (
              <ErrorSummary ref={summary} fieldErrors={fieldErrors} organization={organization.name} onGo={focusField} />
            )}
            {!refused && rejection.messages.length > 0 && (
              <Notice severity="warning" variant="card" text={t("rejection-title")}>
                <AuthorityMessages messages={rejection.messages} onGo={focusField} />
              </Notice>
            )}
            <HeaderFields {...fields} />
            <CreditLimit content={content} calculation={calculation} />
            <DocumentDetails
              details={detailsOf(content)}
              currency={content.currency}
              country={country}
              standardRate={defaults.standardRate}
              fieldErrors={fieldErrors}
              isDisabled={closed}
              dispatch={dispatch}
            />
            <BuyerFields buyer={content.buyer} onFieldChange={onFieldChange} isDisabled={closed} onParty={fillBuyer} />
            <LineGrid
              state={state}
              dispatch={dispatch}
              trackFill={editor.trackFill}
              calculation={calculation}
              fieldErrors={fieldErrors}
              isDisabled={closed}
              country={country}
              onExplain={setExplained}
            />
            <NoteField {...fields} />
            <Suspense>
              <AttachmentsSection document={draft.key} />
            </Suspense>
          </div>
        </div>
        <Totals calculation={calculation} currency={content.currency} missing={missingAmount(content)} onExplain={setExplained} />
      </EditorForm>
      {explained !== null && (
        <ExplanationDialog
          isOpen
          onClose={() => setExplained(null)}
          content={content}
          taxBreakdown={calculation?.taxBreakdown ?? []}
          path={explained}
        />
      )}
      {issuing && (
        <IssueDialog
          content={content}
          checked={issuing}
          busy={submission.busy}
          onConfirm={(steps) => void submission.submit(steps).finally(() => setIssuing(null))}
          onClose={() => setIssuing(null)}
        />
      )}
      {submission.similar.length > 0 && (
        <SimilarDocuments rows={submission.similar} onSave={submission.submitAnyway} onClose={submission.clear} />
      )}
      {contested && (
        <CompareDialog
          key={contested.row.stamp}
          isOpen={comparing}
          onClose={() => setComparing(false)}
          draft={draft}
          current={contested}
          onMerged={(merged) => {
            setComparing(false);
            submission.clear();
            dispatch({ type: "rebased", draft: merged });
          }}
        />
      )}
      <PaperBesideForm draft={draft} />
    </section>
  );
}
