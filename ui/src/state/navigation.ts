/** Navigation between the views of an organization. Unsaved changes are saved before a view is left. */

import { createContext, type Dispatch, type RefObject, type SetStateAction, use } from "react";
import type { AdministrationSection } from "../administration/sections";
import type { InvoiceFilter } from "../queries/invoicePages";
import type { SettingsSection } from "../settings/sections";

export type View =
  | { name: "today" }
  | { name: "clients" }
  /** With a filter that takes the place of the one that the list has. */
  | { name: "invoices"; filter?: InvoiceFilter }
  | { name: "drafts" }
  | { name: "insights" }
  | { name: "editor"; draft: string }
  | { name: "administration"; section?: AdministrationSection }
  | { name: "settings"; section?: SettingsSection };

/** Where the list of documents is. */
export interface ListPosition {
  /** The filter and order of the list. Another list begins at its top. */
  of: string;
  /** The row that Tab reaches. */
  active: number;
  /** How many rows are above the view, with a fraction: their height is a preference. */
  rowsAbove: number;
}

/** `comesBack`: the view is shown again, as after another sign-in, with all that it has. */
export type Autosaving = (comesBack?: boolean) => Promise<void>;

export interface Navigation {
  view: View;
  /** Changes the view after all changes are saved. */
  navigate: (view: View) => void;
  /** Key of the invoice in the detail pane. */
  openInvoiceKey: string | null;
  openInvoice: (key: string | null) => void;
  /** Filter and order of the list. They stay while it is not shown. */
  listFilter: InvoiceFilter;
  setListFilter: Dispatch<SetStateAction<InvoiceFilter>>;
  /** Where the list is, or was when it was left. It changes with each scroll, without a render. */
  listPosition: RefObject<ListPosition | null>;
  /** Text of the search field. */
  search: string;
  setSearch: (search: string) => void;
  /** The search whose first hit is to be opened; `null` once it is. */
  firstHitOf: string | null;
  openFirstHitOf: (search: string | null) => void;
  /**
   * Registers a callback that saves pending changes before the view changes. If it rejects, the view stays. Returns a function that
   * removes it.
   */
  registerAutosave: (keep: Autosaving) => () => void;
  /** Saves all pending changes. */
  flushAutosaves: Autosaving;
}

/** Selects the row of the list that Tab reaches. */
export const activeRow = '[role="row"][tabindex="0"]';

export const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (!navigation) throw new Error("useNavigation needs a NavigationContext above it");
  return navigation;
}
