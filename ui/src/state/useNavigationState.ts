/** The state behind `Navigation`. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { notePlace, takeFirstPlace } from "./firstView";
import type { Navigation, View } from "./navigation";

/** `of` names the person and the organization. */
export function useNavigationState(of: string): Navigation {
  const [first] = useState(() => takeFirstPlace(of));
  const [view, setView] = useState<View>(first.view);
  const [openInvoiceKey, setOpenInvoiceKey] = useState(first.openInvoiceKey);
  useEffect(() => notePlace(of, { view, openInvoiceKey }), [of, view, openInvoiceKey]);
  const [search, setSearch] = useState("");
  const [firstHitOf, openFirstHitOf] = useState<string | null>(null);
  // A person who opens a document does not wait for the first hit any more.
  const openInvoice = useCallback((key: string | null) => {
    openFirstHitOf(null);
    setOpenInvoiceKey(key);
  }, []);
  const autosaves = useRef(new Set<() => Promise<void>>());

  const registerAutosave = useCallback((flush: () => Promise<void>) => {
    autosaves.current.add(flush);
    return () => {
      autosaves.current.delete(flush);
    };
  }, []);
  const flushAutosaves = useCallback(async () => {
    await Promise.all([...autosaves.current].map((flush) => flush()));
  }, []);
  // If saving fails the view stays, because it shows the error.
  const navigate = useCallback(
    (next: View) =>
      void flushAutosaves().then(
        () => setView(next),
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
      search,
      setSearch,
      firstHitOf,
      openFirstHitOf,
      registerAutosave,
      flushAutosaves,
    }),
    [view, navigate, openInvoiceKey, openInvoice, search, firstHitOf, registerAutosave, flushAutosaves],
  );
}
