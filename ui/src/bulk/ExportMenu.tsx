/** Exports the selection, or all of the filter if nothing is selected: the list to a file, or a file for each document. */

import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { MenuTrigger } from "react-aria-components";
import { Button } from "../components/Button";
import { MenuItem, MenuPopover, MenuSection } from "../components/Menu";
import { useShortcut } from "../components/shortcuts";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { type Selection, selectedCount, selectionOfAll } from "../invoices/selection";
import type { CommandError, ExportFormat } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useListSettings } from "../listSettings/useListSettings";
import type { InvoiceFilter } from "../queries/invoicePages";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { documentSelection } from "./documentSelection";
import { exportedColumns } from "./exportedColumns";
import { exportsKey } from "./useExports";

export interface ExportMenuProps {
  selection: Selection;
  filter: InvoiceFilter;
  /** Number of documents of the filter. */
  total: number;
  /** Asks about saving the documents as files. */
  onSave: (action: "savePdf" | "saveUbl") => void;
}

export function ExportMenu({ selection, filter, total, onSave }: ExportMenuProps) {
  const { t, language } = useLocalizer();
  const { settings } = useListSettings();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const [openedBy, setOpenedBy] = useState<"key" | "press" | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const showError = useShowError();
  useShortcut("export", () => setOpenedBy("key"));
  const selected = selectedCount(selection, total);
  const start = async (format: ExportFormat) => {
    setError(null);
    const options = { format, language, columns: exportedColumns(settings.columns) };
    const exported = documentSelection(selected > 0 ? selection : selectionOfAll, filter);
    try {
      await withBinding(organization.id, (binding) =>
        commands.exportDocuments(binding, exported, options, selected > 0 ? selected : total),
      );
      void client.invalidateQueries({ queryKey: exportsKey(organization.id) });
    } catch (thrown) {
      showError(commandError(thrown), setError);
    }
  };
  return (
    <>
      <MenuTrigger isOpen={openedBy !== null} onOpenChange={(isOpen) => setOpenedBy(isOpen ? "press" : null)}>
        <Button data-export-menu="" size="sm" icon={<Download size={13} aria-hidden="true" />}>
          {t(selected > 0 ? "export" : "export-all")}
        </Button>
        <MenuPopover label={t("export")} placement="top start" focusesFirst={openedBy === "key"}>
          <MenuSection title={t("export-list")}>
            <MenuItem onAction={() => void start("csv")}>{t("export-csv")}</MenuItem>
            <MenuItem onAction={() => void start("xlsx")}>{t("export-xlsx")}</MenuItem>
          </MenuSection>
          <MenuSection title={t("export-files")}>
            <MenuItem onAction={() => onSave("savePdf")}>{t("bulk-save-pdf")}</MenuItem>
            <MenuItem onAction={() => onSave("saveUbl")}>{t("bulk-save-ubl")}</MenuItem>
          </MenuSection>
        </MenuPopover>
      </MenuTrigger>
      {error && <ErrorNotice error={error} variant="inline" />}
    </>
  );
}
