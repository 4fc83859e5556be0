/** When a search field asks: at once, and while an answer is missing, the latest text after it. */

import { useEffect } from "react";

/** How long a missing answer holds up the text that was typed since. It may never come. */
const MOST_WAIT_MS = 1_000;

/** Calls `ask` with the typed text, unless that is already `asked` or a search is under way. Without a text nothing is searched. */
export function useSearchPace(typed: string, asked: string, searching: boolean, ask: (text: string) => void): void {
  useEffect(() => {
    if (typed === asked) return;
    if (!searching || typed === "") {
      ask(typed);
      return;
    }
    const timer = setTimeout(() => ask(typed), MOST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed, asked, searching, ask]);
}
