/** The state behind `Navigation`. */

import { useCallback, useMemo, useRef, useState } from "react";
import type { Navigation, View } from "./navigation";

export function useNavigationState(): Navigation {
  const [view, setView] = useState<View>({ name: "invoices" });
  const [opened, setOpened] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const keepers = useRef(new Set<() => Promise<void>>());

  const beforeLeaving = useCallback((keep: () => Promise<void>) => {
    keepers.current.add(keep);
    return () => {
      keepers.current.delete(keep);
    };
  }, []);
  const keepAll = useCallback(async () => {
    await Promise.all([...keepers.current].map((keep) => keep()));
  }, []);
  // What cannot be kept holds the person where it is, with the reason shown there.
  const go = useCallback(
    (next: View) =>
      void keepAll().then(
        () => setView(next),
        () => undefined,
      ),
    [keepAll],
  );

  return useMemo(
    () => ({ view, go, opened, open: setOpened, search, setSearch, beforeLeaving, keepAll }),
    [view, go, opened, search, beforeLeaving, keepAll],
  );
}
