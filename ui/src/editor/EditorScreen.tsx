/** Writing an invoice: read the draft, then the form. */

import { useQuery } from "@tanstack/react-query";
import { useNavigation } from "../app/navigation";
import { useWorkplace } from "../app/workplace";
import { draftQuery } from "../drafts/draftsQuery";
import { ErrorNotice } from "../errors/ErrorNotice";
import { commandError } from "../ipc/call";
import { useWords } from "../words/WordsProvider";
import { Editor } from "./Editor";

export function EditorScreen({ draftKey }: { draftKey: string }) {
  const { t } = useWords();
  const { organization } = useWorkplace();
  const { go } = useNavigation();
  const draft = useQuery(draftQuery(organization.id, draftKey));
  if (draft.error) {
    return (
      <ErrorNotice
        error={commandError(draft.error)}
        shape="page"
        handlers={{ backToList: () => go({ name: "drafts" }), tryNow: () => void draft.refetch() }}
      />
    );
  }
  if (!draft.data) {
    return (
      <p role="status" className="m-auto text-ink-2">
        {t("loading")}
      </p>
    );
  }
  return <Editor draft={draft.data} />;
}
