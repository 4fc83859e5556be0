/** The state behind `Navigation`. */

import { useCallback, useMemo, useRef, useState } from "react";
import { takeFirstView } from "./firstView";
import type { Navigation, View } from "./navigation";

export function useNavigationState(): Navigation {
  const [view, setView] = useState<View>(takeFirstView);
  const [openInvoiceKey, setOpenInvoiceKey] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const [firstHitOf, openFirstHitOf] = useState<string | null>(null);
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
      openInvoice: setOpenInvoiceKey,
      search,
      setSearch,
      firstHitOf,
      openFirstHitOf,
      registerAutosave,
      flushAutosaves,
    }),
    [view, navigate, openInvoiceKey, search, firstHitOf, registerAutosave, flushAutosaves],
  );
}
