/** The state behind `Navigation`. */

import { useCallback, useMemo, useRef, useState } from "react";
import { noFilter } from "../queries/invoicePages";
import { takeFirstView } from "./firstView";
import type { Autosaving, ListPosition, Navigation, View } from "./navigation";

export function useNavigationState(): Navigation {
  const [view, setView] = useState<View>(takeFirstView);
  const [openInvoiceKey, setOpenInvoiceKey] = useState<string | null>(null);
  const [listFilter, setListFilter] = useState(noFilter);
  const [search, setSearch] = useState("");
  const listPosition = useRef<ListPosition | null>(null);
  const [firstHitOf, openFirstHitOf] = useState<string | null>(null);
  // A person who opens a document does not wait for the first hit any more.
  const openInvoice = useCallback((key: string | null) => {
    openFirstHitOf(null);
    setOpenInvoiceKey(key);
  }, []);
  const autosaves = useRef(new Set<Autosaving>());

  const registerAutosave = useCallback((flush: Autosaving) => {
    autosaves.current.add(flush);
    return () => {
      autosaves.current.delete(flush);
    };
  }, []);
  const flushAutosaves = useCallback(async (comesBack?: boolean) => {
    await Promise.all([...autosaves.current].map((flush) => flush(comesBack)));
  }, []);
  // If saving fails the view stays, because it shows the error.
  const navigate = useCallback(
    (next: View) =>
      void flushAutosaves().then(
        () => {
          setView(next);
          if (next.name === "invoices" && next.filter) setListFilter(next.filter);
        },
        () => undefined,
      ),
    [flushAutosaves],
  );

  return useMemo(
    () => ({
      view,
      navigate,
      openInvoiceKey,
      openInvoice,
      listFilter,
      setListFilter,
      listPosition,
      search,
      setSearch,
      firstHitOf,
      openFirstHitOf,
      registerAutosave,
      flushAutosaves,
    }),
    [view, navigate, openInvoiceKey, openInvoice, listFilter, listPosition, search, firstHitOf, registerAutosave, flushAutosaves],
  );
}
