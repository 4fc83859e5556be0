/** The form of an invoice: what is wrong first, then header, buyer, lines, and totals that stand still at the foot. */

import { ArrowLeft } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { useNavigation } from "../app/navigation";
import { useWorkplace } from "../app/workplace";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useOwnCurrency } from "../invoices/useInvoiceTotal";
import type { Draft } from "../ipc/bindings";
import { Button, IconButton } from "../parts/Button";
import { useShortcut } from "../parts/keys";
import { OrganizationBadge } from "../parts/OrganizationBadge";
import { useWords } from "../words/WordsProvider";
import { BuyerFields } from "./BuyerFields";
import { CompareDialog } from "./CompareDialog";
import { DiscardDraft } from "./DiscardDraft";
import { prepared } from "./draftReducer";
import { EditorTrouble } from "./EditorTrouble";
import { ErrorSummary } from "./ErrorSummary";
import { byField, focusField, neighbour, problems } from "./fields";
import { HeaderFields } from "./HeaderFields";
import { KeptMark } from "./KeptMark";
import { LineGrid } from "./LineGrid";
import { NoteField } from "./NoteField";
import { Totals } from "./Totals";
import { useDraftEditor } from "./useDraftEditor";
import { useSubmit } from "./useSubmit";

export function Editor({ draft: initial }: { draft: Draft }) {
  const words = useWords();
  const { t } = words;
  const { organization } = useWorkplace();
  const { go } = useNavigation();
  const currency = useOwnCurrency();
  const [opened] = useState(() => prepared(initial, currency));
  const editor = useDraftEditor(opened);
  const submission = useSubmit(editor);
  const { state, dispatch, calculation, kept } = editor;
  const { draft } = state;
  const { content } = draft;
  const [comparing, setComparing] = useState(false);

  // Once a person has tried to save, what is wrong follows the typing; before, nobody is told of what is not yet typed.
  const refused = submission.error?.kind === "invalidArgument" ? submission.error.violations : null;
  const fromService = submission.error?.kind === "invalidArgument" && submission.error.support.code !== null;
  const violations = refused && !fromService && calculation ? calculation.violations : refused;
  const found = useMemo(() => (violations ? problems(violations, content, words) : []), [violations, content, words]);
  const errors = useMemo(() => byField(found), [found]);
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (refused) summary.current?.focus();
  }, [refused]);

  const contested =
    submission.error?.kind === "aborted" || submission.error?.kind === "alreadyExists" ? submission.error.current : null;
  const closed = submission.error?.kind === "failedPrecondition" || draft.state === "unknownOutcome";
  const typed = useCallback((path: string, text: string) => dispatch({ type: "typed", path, text }), [dispatch]);
  const jump = (by: 1 | -1) => focusField(neighbour([...new Set(found.flatMap(({ field }) => field ?? []))], by));
  const submit = () => {
    if (!closed) void submission.submit();
  };
  useShortcut("submit", submit);
  useShortcut("nextError", () => jump(1), found.length > 0);
  useShortcut("previousError", () => jump(-1), found.length > 0);

  const fields = { content, typed, isDisabled: closed };
  return (
    <section className="flex min-w-0 flex-1 flex-col" aria-labelledby="editor-title">
      <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <IconButton
          label={t("back")}
          icon={<ArrowLeft size={16} aria-hidden="true" className="directional" />}
          onPress={() => go({ name: "invoices" })}
        />
        <h1 id="editor-title" className="font-semibold text-md">
          {t(draft.changes ? "editor-change" : `editor-new-${content.kind}`)}
        </h1>
        <KeptMark kept={kept} />
        <span className="flex-1" />
        <DiscardDraft draftKey={draft.key} onDiscard={editor.stop} />
        <Button
          tone="primary"
          shortcut="submit"
          isDisabled={closed || submission.busy}
          onPress={submit}
          icon={<OrganizationBadge organization={organization} size="sm" />}
        >
          {t("save-to", { organization: organization.name })}
        </Button>
      </header>
      <Form
        validationBehavior="aria"
        validationErrors={errors}
        onSubmit={(event) => event.preventDefault()}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto flex max-w-300 flex-col gap-5 p-4">
            {kept.state === "notKept" && (
              <ErrorNotice
                error={kept.error}
                shape="card"
                handlers={{ tryNow: () => void editor.flush().catch(() => undefined) }}
              />
            )}
            <EditorTrouble editor={editor} submission={submission} onCompare={() => setComparing(true)} onRetry={submit} />
            {found.length > 0 && (
              <ErrorSummary ref={summary} problems={found} organization={organization.name} onGo={focusField} />
            )}
            <HeaderFields {...fields} />
            <BuyerFields {...fields} />
            <LineGrid editor={editor} problems={found} isDisabled={closed} />
            <NoteField {...fields} />
          </div>
        </div>
        <Totals calculation={calculation} currency={content.currency} />
      </Form>
      {contested && (
        <CompareDialog
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
    </section>
  );
}
