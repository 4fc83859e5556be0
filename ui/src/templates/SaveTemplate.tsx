/** Keeps a document as a template, with a name if the user gives one. */

import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../components/Button";
import { useCommand } from "../components/commands";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import { showStatus } from "../components/statusMessage";
import { useIsShown } from "../components/useIsShown";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { CommandError, InvoiceContent } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { invalidateTemplates } from "./templateQueries";

/** That of the core. */
const MAX_NAME = 120;

export interface SaveTemplateProps {
  /** The content at the moment of opening: a draft changes with each key. */
  contentOf: () => InvoiceContent;
  variant?: "quiet" | "secondary";
}

export function SaveTemplate({ contentOf, variant = "quiet" }: SaveTemplateProps) {
  const { t } = useLocalizer();
  const [content, setContent] = useState<InvoiceContent | null>(null);
  const open = () => setContent(contentOf());
  useCommand("saveTemplate", "template-save", open);
  return (
    <>
      <Button variant={variant} onPress={open} narrowIcon={<BookmarkPlus size={16} aria-hidden="true" />}>
        {t("template-save")}
      </Button>
      {content && <SaveTemplateDialog content={content} onClose={() => setContent(null)} />}
    </>
  );
}

function SaveTemplateDialog({ content, onClose }: { content: InvoiceContent; onClose: () => void }) {
  const { t, language } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const [name, setName] = useState(() => localizedText(content.buyer.name, language).slice(0, MAX_NAME));
  const [error, setError] = useState<CommandError | null>(null);
  const [busy, setBusy] = useState(false);
  const showError = useShowError();
  const isShown = useIsShown();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Enter is pressed twice, or held: that is one template.
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await withBinding(organization.id, (binding) => commands.saveTemplate(binding, name, content));
      invalidateTemplates(client, organization.id);
      showStatus(t("template-saved"));
      if (isShown.current) onClose();
    } catch (thrown) {
      showError(commandError(thrown), setError);
      setBusy(false);
    }
  };
  return (
    <Modal title={t("template-save")} isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField label={t("template-name")} value={name} onChange={setName} maxLength={MAX_NAME} autoFocus />
        <p className="text-fg-2">{t("template-save-hint")}</p>
        <p className="text-fg-2">{t("template-placeholders", { month: "{month}", year: "{year}" })}</p>
        {error && <ErrorNotice error={error} variant="card" />}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t("cancel")}</Button>
          <Button variant="primary" type="submit">
            {t("save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
