/** The search parameters of the address, also after it was changed without a load. */

import { useSyncExternalStore } from "react";

function onNavigation(listener: () => void) {
  window.addEventListener("popstate", listener);
  return () => window.removeEventListener("popstate", listener);
}

export function useSearchParameters() {
  return new URLSearchParams(useSyncExternalStore(onNavigation, () => location.search));
}
