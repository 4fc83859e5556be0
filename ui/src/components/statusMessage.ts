/** A short message about something that has happened, which nothing else on the screen shows (WCAG 2.2, 4.1.3). */

import { announce } from "./announce";
import { createValueStore, useValueStore } from "./valueStore";

/** Each has an identity of its own: the same text can be shown twice. */
export interface StatusText {
  text: string;
  /** The document that the message is about. */
  document?: StatusDocument | undefined;
}

/** The message outlives a switch of the organization, and leads to the document only in the organization that has it. */
export interface StatusDocument {
  organization: string;
  key: string;
}

const store = createValueStore<StatusText | null>(null);

/** Shows a message in place of the last one, and has it read out. */
export function showStatus(text: string, document?: StatusDocument): void {
  announce(text);
  store.set({ text, document });
}

export function hideStatus(): void {
  store.set(null);
}

/** The last message, until it is hidden. */
export function useStatusText(): StatusText | null {
  return useValueStore(store);
}
