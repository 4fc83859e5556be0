/** Lets a menu or a button ask for an invoice file. */

import { createContext, use } from "react";

export const InvoiceFilesContext = createContext<{ choose: () => void } | null>(null);

export function useInvoiceFiles(): { choose: () => void } {
  const files = use(InvoiceFilesContext);
  if (!files) throw new Error("useInvoiceFiles needs InvoiceFiles above it");
  return files;
}
