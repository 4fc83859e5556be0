/** Lets a menu or a button ask for an invoice file, and tells which of several were not opened yet. */

import { createContext, use } from "react";
import type { FileSource } from "./readFile";

export interface InvoiceFilesState {
  /** Lets the user choose files. */
  choose: () => void;
  /** Files that wait while no dialog is open. */
  unopened: readonly FileSource[];
  openNext: () => void;
  /** Opens none of those that wait. */
  forget: () => void;
}

export const InvoiceFilesContext = createContext<InvoiceFilesState | null>(null);

export function useInvoiceFiles(): InvoiceFilesState {
  const files = use(InvoiceFilesContext);
  if (!files) throw new Error("useInvoiceFiles needs InvoiceFiles above it");
  return files;
}
