/** Throwing a draft away, asked once. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigation } from "../app/navigation";
import { useWorkplace } from "../app/workplace";
import { draftsHaveChanged } from "../drafts/draftsQuery";
import { ErrorNotice } from "../errors/ErrorNotice";
import type { CommandError } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { Button } from "../parts/Button";
import { Modal } from "../parts/Modal";
import { atPlace } from "../session/atPlace";
import { useWords } from "../words/WordsProvider";

export function DiscardDraft({ draftKey, onDiscard }: { draftKey: string; onDiscard: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const { organization } = useWorkplace();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const discard = async () => {
    try {
      onDiscard();
      await atPlace(organization.id, (at) => commands.discardDraft(at, draftKey));
      draftsHaveChanged(client, organization.id);
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
        {error && <ErrorNotice error={error} shape="card" />}
      </Modal>
    </>
  );
}
