/** The row above the form: back, what is edited, whether it is kept, and what can be done with it. Typing does not render it. */

import { ArrowLeft } from "lucide-react";
import { memo } from "react";
import { Button, IconButton } from "../components/Button";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft, InvoiceContent } from "../ipc/bindings";
import { PaperButton } from "../paper/PaperBesideForm";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { SaveTemplate } from "../templates/SaveTemplate";
import type { Autosave } from "./autosave";
import { DiscardDraft } from "./DiscardDraft";
import { MoveDraft } from "./MoveDraft";
import { SaveStatus } from "./SaveStatus";
import type { DraftEditor } from "./useDraftEditor";

export interface EditorHeaderProps {
  draftKey: string;
  kind: InvoiceContent["kind"];
  /** Whether the draft changes a document of the service. */
  isChange: boolean;
  contentOf: () => InvoiceContent;
  autosave: Autosave<Draft>;
  withDraft: DraftEditor["withDraft"];
  filling: boolean;
  isDisabled: boolean;
  /** Whether the document is being checked or sent. Its buttons keep the focus meanwhile. */
  isBusy: boolean;
  onSave: () => void;
  onSaveAndIssue: () => void;
}

export const EditorHeader = memo(function EditorHeader(props: EditorHeaderProps) {
  const { draftKey, kind, isChange, contentOf, autosave, withDraft, filling, isDisabled, isBusy } = props;
  const { onSave, onSaveAndIssue } = props;
  const { t } = useLocalizer();
  const { organization, session } = useWorkspace();
  const { navigate } = useNavigation();
  const { issueDocuments } = useDocumentPermissions();
  // What corrects or changes a document belongs to its organization.
  const isMovable = kind === "invoice" && !isChange && session.organizations.length > 1;
  return (
    <header className="@container flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <IconButton
        label={t("back")}
        icon={<ArrowLeft size={16} aria-hidden="true" className="mirror-in-rtl" />}
        onPress={() => navigate({ name: "invoices" })}
      />
      <h1 id="editor-title" className="font-semibold text-md">
        {t(isChange ? `editor-change-${kind}` : `editor-new-${kind}`)}
      </h1>
      <SaveStatus autosave={autosave} />
      <div className="ms-auto flex @max-[950px]:[&_kbd]:hidden flex-wrap items-center justify-end gap-2">
        <PaperButton />
        {kind === "invoice" && <SaveTemplate contentOf={contentOf} />}
        <DiscardDraft draftKey={draftKey} autosave={autosave} />
        {issueDocuments && (
          <Button shortcut="submitAndIssue" isDisabled={isDisabled} isBusy={isBusy} onPress={onSaveAndIssue}>
            {t("save-issue")}
          </Button>
        )}
        <Button
          variant="primary"
          shortcut="submit"
          isDisabled={isDisabled}
          isBusy={isBusy}
          onPress={onSave}
          icon={<OrganizationBadge organization={organization} size="sm" />}
        >
          {t("save-to", { organization: organization.name })}
        </Button>
      </div>
      {isMovable && <MoveDraft draftKey={draftKey} autosave={autosave} withDraft={withDraft} filling={filling} />}
    </header>
  );
});
