/** Deletes a draft after a confirmation. One that the service turns out to have leads to its document instead. */

import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { orArrived, useArrivedDocument } from "../drafts/useArrivedDocument";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, Draft } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDrafts, noteTold } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import type { Autosave } from "./autosave";

export function DiscardDraft({ draftKey, autosave }: { draftKey: string; autosave: Autosave<Draft> }) {
  const { t } = useLocalizer();
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button variant="quiet" onPress={() => setConfirming(true)} narrowIcon={<Trash2 size={16} aria-hidden="true" />}>
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
  const openArrived = useArrivedDocument();
  // Until the view is left, if the draft is deleted.
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  // "Keep it" would be untrue of one that is being deleted.
  const close = () => {
    if (!busy) onClose();
  };
  const discard = async () => {
    setBusy(true);
    setError(null);
    try {
      // A write that comes after the deletion would bring the draft back.
      const outcome = await autosave.endWith(
        () => orArrived(withBinding(organization.id, (binding) => commands.discardDraft(binding, draftKey))),
        false,
      );
      if ("arrived" in outcome) {
        openArrived(draftKey, outcome.arrived, t("discard-arrived", { organization: organization.name }));
        return;
      }
      noteTold(client, organization.id, draftKey);
      navigate({ name: "invoices" });
    } catch (thrown) {
      setBusy(false);
      setError(commandError(thrown));
      // It may be known by now that the service does not have it.
      invalidateDrafts(client, organization.id);
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
