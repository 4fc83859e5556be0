/** Leads from a draft to the document that the service turned out to have of it (decision 0187). */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { showStatus } from "../components/statusMessage";
import type { InvoiceView } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { invalidateDocuments } from "../queries/documentWrites";
import { forgetDraft, noteTold } from "../queries/draftQueries";
import { invoiceKey } from "../queries/invoiceQuery";
import { setAnswer } from "../queries/setAnswer";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";

/** Opens the document of a draft beside the list, and says why. */
type OpenArrived = (draft: string, view: InvoiceView, why: string) => void;

export function useArrivedDocument(): OpenArrived {
  const client = useQueryClient();
  const { id } = useWorkspace().organization;
  const { navigate, openInvoice } = useNavigation();
  return useCallback(
    (draft, view, why) => {
      noteTold(client, id, draft);
      forgetDraft(client, id, draft);
      setAnswer(client, invoiceKey(id, view.row.key), view);
      invalidateDocuments(client, id);
      showStatus(why);
      openInvoice(view.row.key);
      navigate({ name: "invoices" });
    },
    [client, id, navigate, openInvoice],
  );
}

/** What `deletion` answers, or the document if the service has it and nothing was deleted for that reason. */
export async function orArrived<T>(deletion: Promise<T>): Promise<{ deleted: T } | { arrived: InvoiceView }> {
  try {
    return { deleted: await deletion };
  } catch (thrown) {
    const error = commandError(thrown);
    if (error.kind !== "alreadyExists" || !error.current) throw thrown;
    return { arrived: error.current };
  }
}
