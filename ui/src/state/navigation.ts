/** Where in the organization's window the person is, and the way from one place to another without losing what was typed. */

import { createContext, use } from "react";

export type View = { name: "invoices" } | { name: "drafts" } | { name: "editor"; draft: string };

export interface Navigation {
  view: View;
  /** Goes there once everything typed is kept. */
  go: (view: View) => void;
  /** The invoice whose detail is open. */
  opened: string | null;
  open: (key: string | null) => void;
  /** Text of the search field. */
  search: string;
  setSearch: (search: string) => void;
  /** Asks for something to be kept before the person leaves. Returns how to stop asking. */
  registerAutosave: (keep: () => Promise<void>) => () => void;
  /** Keeps everything that asked for it. */
  flushAutosaves: () => Promise<void>;
}

export const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (!navigation) throw new Error("useNavigation needs a NavigationContext above it");
  return navigation;
}
