/** Loads a draft and opens it in the form. */

import { useQuery } from "@tanstack/react-query";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commandError } from "../ipc/call";
import { draftQuery } from "../queries/draftQueries";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { Editor } from "./Editor";

export function EditorScreen({ draftKey }: { draftKey: string }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate } = useNavigation();
  const draft = useQuery(draftQuery(organization.id, draftKey));
  if (draft.error) {
    return (
      <ErrorNotice
        error={commandError(draft.error)}
        variant="page"
        handlers={{ backToList: () => navigate({ name: "drafts" }), tryNow: () => void draft.refetch() }}
      />
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
