/** What follows from a step of a document that cannot be taken back, in words. */

import type { InvoiceKind } from "../ipc/bindings";
import type { LifecycleAction } from "./lifecycleSteps";

/** A credit note corrects other documents, and nothing is said to correct it. */
export function stepHint(action: LifecycleAction, kind: InvoiceKind) {
  if (kind === "creditNote") return action === "freeze" ? "freeze-hint-credit-note" : "issue-hint-credit-note";
  return action === "freeze" ? "freeze-hint" : "issue-hint";
}
