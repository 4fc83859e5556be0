/** Names the documents for which the outbox has not sent a draft, opens them, and has the draft sent all the same on request. */

import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../components/Button";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { DraftSummary, SimilarDocument } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { noteDraftState } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export function SimilarToDraft({ draft: { key, buyer, similar } }: { draft: DraftSummary }) {
  const { t, format, language } = useLocalizer();
  const client = useQueryClient();
  const { id } = useWorkspace().organization;
  const { navigate, openInvoice } = useNavigation();
  const { run, busy } = useCommandCalls(showWindowError);
  const nameOf = ({ number }: SimilarDocument) => number || t("status-draft");
  const open = (document: SimilarDocument) => {
    openInvoice(document.key);
    navigate({ name: "invoices" });
  };
  const send = () =>
    run(async () => {
      const seen = similar.map((document) => document.key);
      await withBinding(id, (binding) => commands.acceptSimilar(binding, key, seen));
      noteDraftState(client, id, key, "waiting");
    });
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 pb-2">
      <p className="min-w-0 basis-60 grow">{t("similar-kept", { documents: format.list(similar.map(nameOf)) })}</p>
      {similar.map((document) => (
        <Button key={document.key} size="sm" onPress={() => open(document)}>
          {t("similar-open", { document: nameOf(document) })}
        </Button>
      ))}
      <Button
        size="sm"
        isBusy={busy}
        aria-label={t("similar-send-of", { draft: localizedText(buyer, language) || t("no-buyer-yet") })}
        onPress={() => void send()}
      >
        {t("similar-send")}
      </Button>
    </div>
  );
}
