/** What a new document can begin with: nothing, a template, or a file of another program. */

import { ChevronDown, CopyPlus, FileInput, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { Button as AriaButton, MenuTrigger } from "react-aria-components";
import { lazyComponent } from "../components/lazyComponent";
import { MenuItem, MenuPopover } from "../components/Menu";
import { useShortcut } from "../components/shortcuts";
import { useNewDraft } from "../drafts/useNewDraft";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useInvoiceFiles } from "../import/invoiceFilesContext";

const TemplatesDialog = lazyComponent(async () => (await import("../templates/TemplatesDialog")).TemplatesDialog);

export function NewDocumentMenu({ isPrimary, isDisabled }: { isPrimary: boolean; isDisabled: boolean }) {
  const { t } = useLocalizer();
  const { start } = useNewDraft(showWindowError);
  const { choose } = useInvoiceFiles();
  const [templates, setTemplates] = useState(false);
  useShortcut("templates", () => setTemplates(true), !isDisabled);
  const colors = isPrimary
    ? "border-transparent bg-accent text-accent-fg data-[hovered]:bg-accent-strong data-[pressed]:bg-accent-strong"
    : "border-line-strong bg-surface text-fg data-[hovered]:bg-sunken data-[pressed]:bg-sunken";
  return (
    <>
      <MenuTrigger>
        <AriaButton
          aria-label={t("new-document-menu")}
          isDisabled={isDisabled}
          className={`inline-flex min-h-8 w-7 shrink-0 items-center justify-center rounded-md border transition-colors duration-100 disabled:opacity-50 ${colors}`}
        >
          <ChevronDown size={14} aria-hidden="true" />
        </AriaButton>
        <MenuPopover label={t("new-document-menu")} placement="bottom end">
          <MenuItem id="empty" shortcut="newInvoice" icon={<Plus size={14} aria-hidden="true" />} onAction={() => start(null)}>
            {t("new-invoice")}
          </MenuItem>
          <MenuItem
            id="template"
            shortcut="templates"
            icon={<CopyPlus size={14} aria-hidden="true" />}
            onAction={() => setTemplates(true)}
          >
            {t("new-from-template")}
          </MenuItem>
          <MenuItem id="file" shortcut="importFile" icon={<FileInput size={14} aria-hidden="true" />} onAction={choose}>
            {t("new-from-file")}
          </MenuItem>
        </MenuPopover>
      </MenuTrigger>
      {templates && (
        <Suspense>
          <TemplatesDialog onClose={() => setTemplates(false)} />
        </Suspense>
      )}
    </>
  );
}
