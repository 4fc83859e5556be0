/** Keeps a document as a template, with a name if the user gives one. */

import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../components/Button";
import { useCommand } from "../components/commands";
import { DiscardQuestionText } from "../components/DiscardQuestionText";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import { showStatus } from "../components/statusMessage";
import { useDiscardQuestion } from "../components/useDiscardQuestion";
import { useIsShown } from "../components/useIsShown";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { CommandError, InvoiceContent } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { invalidateChanged } from "../windows/useChangedData";

/** That of the core. */
const MAX_NAME = 120;

export interface SaveTemplateProps {
  /** The content at the moment of opening: a draft changes with each key. */
  contentOf: () => InvoiceContent;
  /** Without it, the command alone is there: a menu or the palette runs it. */
  hasButton?: boolean;
}

export function SaveTemplate({ contentOf, hasButton = true }: SaveTemplateProps) {
  const { t } = useLocalizer();
  const [content, setContent] = useState<InvoiceContent | null>(null);
  const open = () => setContent(contentOf());
  useCommand("saveTemplate", "template-save", open);
  return (
    <>
      {hasButton && (
        <Button variant="quiet" onPress={open} narrowIcon={<BookmarkPlus size={16} aria-hidden="true" />}>
          {t("template-save")}
        </Button>
      )}
      {content && <SaveTemplateDialog content={content} onClose={() => setContent(null)} />}
    </>
  );
}

function SaveTemplateDialog({ content, onClose }: { content: InvoiceContent; onClose: () => void }) {
  const { t, language } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const [suggested] = useState(() => localizedText(content.buyer.name, language).slice(0, MAX_NAME));
  const [name, setName] = useState(suggested);
  const [error, setError] = useState<CommandError | null>(null);
  const [busy, setBusy] = useState(false);
  const showError = useShowError();
  const isShown = useIsShown();
  const { asking, close, keep } = useDiscardQuestion(name !== suggested && !busy, onClose);
  const change = (text: string) => {
    keep();
    setName(text);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Enter is pressed twice, or held: that is one template.
    if (busy) return;
    setBusy(true);
    setError(null);
    keep();
    try {
      await withBinding(organization.id, (binding) => commands.saveTemplate(binding, name, content));
      invalidateChanged(client, organization.id, "templates");
      showStatus(t("template-saved"));
      if (isShown.current) onClose();
    } catch (thrown) {
      showError(commandError(thrown), setError);
      setBusy(false);
    }
  };
  return (
    <Modal title={t("template-save")} isOpen onClose={close}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField label={t("template-name")} value={name} onChange={change} maxLength={MAX_NAME} autoFocus />
        <p className="text-fg-2">{t("template-save-hint")}</p>
        <p className="text-fg-2">{t("template-placeholders", { month: "{month}", year: "{year}" })}</p>
        {error && <ErrorNotice error={error} variant="card" />}
        {asking && <DiscardQuestionText />}
        <div className="flex justify-end gap-2">
          <Button onPress={close}>{t(asking ? "form-discard" : "cancel")}</Button>
          <Button variant="primary" type="submit">
            {t("save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
