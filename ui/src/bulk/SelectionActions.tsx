/** What can be done with the selected documents, with its dialogs. */

import { Suspense, useState } from "react";
import { Button } from "../components/Button";
import { lazyComponent } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { type Selection, selectedCount, selectionOfAll } from "../invoices/selection";
import type { BulkAction } from "../ipc/bindings";
import type { InvoiceFilter } from "../queries/invoicePages";
import { useDocumentPermissions } from "../queries/permissionsQuery";
import { documentSelection } from "./documentSelection";
import { ExportMenu } from "./ExportMenu";

const BulkConfirmDialog = lazyComponent(async () => (await import("./BulkConfirmDialog")).BulkConfirmDialog);

export interface SelectionActionsProps {
  selection: Selection;
  filter: InvoiceFilter;
  /** Number of documents of the filter. */
  total: number;
  /** A run over the selection has begun. */
  onStarted: (run: string) => void;
}

export function SelectionActions({ selection, filter, total, onStarted }: SelectionActionsProps) {
  const { t } = useLocalizer();
  /** `ofAll`: nothing was selected. What is selected cannot become everything while the dialog is open. */
  const [asked, setAsked] = useState<{ action: BulkAction; ofAll: boolean } | null>(null);
  const ask = (action: BulkAction, ofAll = false) => setAsked({ action, ofAll });
  const any = selectedCount(selection, total) > 0;
  const { issueDocuments, freezeDocuments } = useDocumentPermissions();
  const issues = any && issueDocuments;
  const freezes = any && freezeDocuments;
  useShortcut("issueSelection", () => ask("issue"), issues);
  useShortcut("freezeSelection", () => ask("freeze"), freezes);
  return (
    <div className="flex flex-wrap gap-2">
      {issues && (
        <Button size="sm" shortcut="issueSelection" onPress={() => ask("issue")}>
          {t("bulk-issue")}
        </Button>
      )}
      {freezes && (
        <Button size="sm" shortcut="freezeSelection" onPress={() => ask("freeze")}>
          {t("bulk-freeze")}
        </Button>
      )}
      <ExportMenu selection={selection} filter={filter} total={total} onSave={(action) => ask(action, !any)} />
      {asked && (
        <Suspense fallback={null}>
          <BulkConfirmDialog
            action={asked.action}
            selection={documentSelection(asked.ofAll ? selectionOfAll : selection, filter)}
            onStarted={(run) => {
              setAsked(null);
              onStarted(run.id);
            }}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
