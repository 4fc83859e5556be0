/** Loads a draft and opens it in the form. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useUnmount } from "../components/useLatest";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commandError, commands } from "../ipc/call";
import { draftQuery, forgetDraft } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { Editor } from "./Editor";

export function EditorScreen({ draftKey }: { draftKey: string }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate } = useNavigation();
  const client = useQueryClient();
  const draft = useQuery(draftQuery(organization.id, draftKey));
  const { id } = organization;
  useUnmount(() => {
    forgetDraft(client, id, draftKey);
    // The core forgets by itself what a window that has moved on had open.
    void withBinding(id, (binding) => commands.closeDraft(binding, draftKey)).catch(() => undefined);
  });
  if (draft.error) {
    return (
      <>
        <h1 className="visually-hidden">{t("drafts")}</h1>
        <ErrorNotice
          error={commandError(draft.error)}
          variant="page"
          handlers={{ backToList: () => navigate({ name: "drafts" }), tryNow: () => void draft.refetch() }}
        />
      </>
    );
  }
  if (!draft.data) {
    return (
      <p role="status" className="m-auto text-fg-2">
        {t("loading")}
      </p>
    );
  }
  return <Editor draft={draft.data} />;
}
