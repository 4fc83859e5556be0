/** What can be done with the selected documents, with its dialogs. */

import { Suspense, useState } from "react";
import { Button } from "../components/Button";
import { lazyComponent } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { type Selection, selectedCount } from "../invoices/selection";
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
  const [action, setAction] = useState<BulkAction | null>(null);
  const any = selectedCount(selection, total) > 0;
  const { issueDocuments, freezeDocuments } = useDocumentPermissions();
  const issues = any && issueDocuments;
  const freezes = any && freezeDocuments;
  useShortcut("issueSelection", () => setAction("issue"), issues);
  useShortcut("freezeSelection", () => setAction("freeze"), freezes);
  return (
    <div className="flex flex-wrap gap-2">
      {issues && (
        <Button size="sm" shortcut="issueSelection" onPress={() => setAction("issue")}>
          {t("bulk-issue")}
        </Button>
      )}
      {freezes && (
        <Button size="sm" shortcut="freezeSelection" onPress={() => setAction("freeze")}>
          {t("bulk-freeze")}
        </Button>
      )}
      <ExportMenu selection={selection} filter={filter} total={total} />
      {action && (
        <Suspense fallback={null}>
          <BulkConfirmDialog
            action={action}
            selection={documentSelection(selection, filter)}
            onStarted={(run) => {
              setAction(null);
              onStarted(run.id);
            }}
            onClose={() => setAction(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
