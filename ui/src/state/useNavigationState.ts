/** The state behind `Navigation`. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { noFilter } from "../queries/invoicePages";
import { notePlace, takeFirstPlace } from "./firstView";
import type { Autosaving, Navigation, View } from "./navigation";

/** `of` names the person and the organization. */
export function useNavigationState(of: string): Navigation {
  const [first] = useState(() => takeFirstPlace(of));
  const [view, setView] = useState<View>(first.view);
  const [openInvoiceKey, setOpenInvoiceKey] = useState(first.openInvoiceKey);
  const [listFilter, setListFilter] = useState(first.listFilter ?? noFilter);
  const [search, setSearch] = useState(first.search);
  const { listPosition } = first;
  useEffect(
    () => notePlace(of, { view, openInvoiceKey, listFilter, search, listPosition }),
    [of, view, openInvoiceKey, listFilter, search, listPosition],
  );
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
