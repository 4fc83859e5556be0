/** The steps of a document's life after it is saved, one after the other, and what is left of them when one fails. */

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CommandError, InvoiceView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { invalidateDocuments } from "../queries/documentWrites";
import { invoiceKey } from "../queries/invoiceQuery";
import { setAnswer } from "../queries/setAnswer";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

export type LifecycleAction = "issue" | "freeze";

/** Steps that were asked for and did not happen. */
export interface UnfinishedSteps {
  /** The failed one first. */
  steps: readonly LifecycleAction[];
  error: CommandError;
}

/** The document after the steps that succeeded, and what is left if one failed. */
export interface StepsOutcome {
  view: InvoiceView;
  unfinished: UnfinishedSteps | null;
}

/** Runs the steps until one fails. Each is safe to repeat: it carries the stamp of the document as it was shown. */
export async function runLifecycleSteps(
  client: QueryClient,
  organization: string,
  document: InvoiceView,
  steps: readonly LifecycleAction[],
): Promise<StepsOutcome> {
  let view = document;
  const keep = (current: InvoiceView) => {
    view = current;
    setAnswer(client, invoiceKey(organization, current.row.key), current);
  };
  for (const [index, step] of steps.entries()) {
    const command = step === "issue" ? commands.issueDocument : commands.freezeDocument;
    const { key, stamp } = view.row;
    try {
      keep(await withBinding(organization, (binding) => command(binding, key, stamp)));
    } catch (thrown) {
      const error = commandError(thrown);
      // Show the current document at once. The user decides whether to repeat the step.
      if ("current" in error && error.current) keep(error.current);
      invalidateDocuments(client, organization);
      // It is issued, and what the authority answers later changes it.
      if (waitsForAuthority(error)) void client.invalidateQueries({ queryKey: invoiceKey(organization, key) });
      return { view, unfinished: { steps: steps.slice(index), error } };
    }
  }
  invalidateDocuments(client, organization);
  return { view, unfinished: null };
}

function waitsForAuthority(error: CommandError): boolean {
  return (
    (error.kind === "unavailable" && error.authority) ||
    (error.kind === "failedPrecondition" && error.support.reason === "AUTHORITY_PENDING")
  );
}

function unfinishedKey(organization: string, key: string) {
  return [organization, "unfinished-steps", key] as const;
}

/** Remembers for the detail of a document which steps did not happen. */
export function setUnfinishedSteps(
  client: QueryClient,
  organization: string,
  key: string,
  unfinished: UnfinishedSteps | null,
): void {
  client.setQueryData(unfinishedKey(organization, key), unfinished);
}

/** The steps of a document that were asked for and did not happen, without those that have happened since. */
export function useUnfinishedSteps({ row }: InvoiceView): { unfinished: UnfinishedSteps | null; forget: () => void } {
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const kept = useQuery<UnfinishedSteps | null>({
    queryKey: unfinishedKey(organization.id, row.key),
    queryFn: () => null,
    enabled: false,
  }).data;
  const numbered = row.status === "issued" || row.status === "frozen";
  const steps = kept?.steps.filter((step) => (step === "issue" ? !numbered : row.status !== "frozen")) ?? [];
  return {
    unfinished: kept && steps.length > 0 ? { ...kept, steps } : null,
    forget: () => setUnfinishedSteps(client, organization.id, row.key, null),
  };
}
