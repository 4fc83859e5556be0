/** The texts of messages of a tax authority. */

import type { Violation } from "../ipc/bindings";

/** A message as the authority wrote it: its words are what the accountant has to answer. */
export function messageText({ rule, description }: Violation): string {
  return rule === "" ? description : `${rule}: ${description}`;
}
