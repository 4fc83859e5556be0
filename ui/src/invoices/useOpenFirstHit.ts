/** The first hit of a search, which Enter in the search field opens. */

import { useEffect } from "react";
import { useLatest } from "../components/useLatest";
import { useNavigation } from "../state/navigation";

/**
 * Opens the first hit of a search that Enter has asked for, once the list shows that search. `first` is `null` if nothing was found: a
 * document that comes later is not what was asked for.
 */
export function useOpenFirstHit(shown: boolean, first: string | null | undefined, open: (key: string) => void): void {
  const { search, firstHitOf, openFirstHitOf } = useNavigation();
  const latest = useLatest(open);
  useEffect(() => {
    if (firstHitOf === null) return;
    if (firstHitOf !== search) openFirstHitOf(null);
    else if (shown && first !== undefined) {
      openFirstHitOf(null);
      if (first !== null) latest.current(first);
    }
  }, [firstHitOf, openFirstHitOf, search, shown, first, latest]);
}
