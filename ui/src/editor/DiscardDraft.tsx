/** Deletes a draft after a confirmation. */

import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, Draft } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDrafts, noteDraftState } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import type { Autosave } from "./autosave";

export function DiscardDraft({
  draftKey,
  isDisabled,
  autosave,
}: {
  draftKey: string;
  isDisabled: boolean;
  autosave: Autosave<Draft>;
}) {
  const { t } = useLocalizer();
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        isDisabled={isDisabled}
        onPress={() => setConfirming(true)}
        narrowIcon={<Trash2 size={16} aria-hidden="true" />}
      >
        {t("discard-draft")}
      </Button>
      <DiscardDraftDialog draftKey={draftKey} isOpen={confirming} autosave={autosave} onClose={() => setConfirming(false)} />
    </>
  );
}

export interface DiscardDraftDialogProps {
  draftKey: string;
  isOpen: boolean;
  /** Goes on if the draft is not deleted. */
  autosave: Autosave<Draft>;
  onClose: () => void;
}

export function DiscardDraftDialog({ draftKey, isOpen, autosave, onClose }: DiscardDraftDialogProps) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { navigate } = useNavigation();
  // Until the view is left, if the draft is deleted.
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  // "Keep draft" would be untrue of one that is being deleted.
  const close = () => {
    if (!busy) onClose();
  };
  const discard = async () => {
    setBusy(true);
    setError(null);
    try {
      // A write that waits would bring the draft back.
      await autosave.flush().catch(() => undefined);
      // It is not sent, also if the outbox was about to send it.
      noteDraftState(client, organization.id, draftKey, "editing");
      await withBinding(organization.id, (binding) => commands.discardDraft(binding, draftKey));
      autosave.stop();
      invalidateDrafts(client, organization.id);
      navigate({ name: "invoices" });
    } catch (thrown) {
      setBusy(false);
      setError(commandError(thrown));
    }
  };
  return (
    <Modal
      title={t("discard-draft-title")}
      role="alertdialog"
      isOpen={isOpen}
      onClose={close}
      actions={
        <>
          <Button autoFocus isBusy={busy} onPress={close}>
            {t("keep-draft")}
          </Button>
          <Button variant="danger" isBusy={busy} onPress={() => void discard()}>
            {t("discard-draft")}
          </Button>
        </>
      }
    >
      <p>{t("discard-draft-hint")}</p>
      {error && <ErrorNotice error={error} variant="card" />}
    </Modal>
  );
}
