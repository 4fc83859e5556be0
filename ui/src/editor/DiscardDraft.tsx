/** Throwing a draft away, asked once. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDrafts } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export function DiscardDraft({ draftKey, onDiscard }: { draftKey: string; onDiscard: () => void }) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const discard = async () => {
    try {
      onDiscard();
      await withBinding(organization.id, (binding) => commands.discardDraft(binding, draftKey));
      invalidateDrafts(client, organization.id);
      go({ name: "invoices" });
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  return (
    <>
      <Button tone="quiet" onPress={() => setAsking(true)}>
        {t("discard-draft")}
      </Button>
      <Modal
        title={t("discard-draft-title")}
        role="alertdialog"
        isOpen={asking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button autoFocus onPress={() => setAsking(false)}>
              {t("keep-draft")}
            </Button>
            <Button tone="danger" onPress={() => void discard()}>
              {t("discard-draft")}
            </Button>
          </>
        }
      >
        <p>{t("discard-draft-about")}</p>
        {error && <ErrorNotice error={error} variant="card" />}
      </Modal>
    </>
  );
}
