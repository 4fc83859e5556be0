/** The open document beside the list follows the row that the keyboard moves to. */

import { type RefObject, useEffect, useRef } from "react";
import { useLatest } from "../components/useLatest";

/** Delay before the detail follows the active row: a held key passes many rows. */
export const FOLLOW_DELAY_MS = 120;

/** The properties of the list that decide it. */
interface ListProps {
  detailFollows: boolean;
  opened: string | null;
  onOpen: (key: string, focus: boolean) => void;
  resetKey: string;
}

/**
 * Opens the detail of the active row, whose key is `key` once its page is loaded, after a move by keyboard. The returned reference notes
 * the document that was open at the move; `null`: there was no move. A document that was opened since is not replaced, nor is any by the
 * first row of another list.
 */
export function useDetailFollowsActiveRow(
  { detailFollows, opened, onOpen, resetKey }: ListProps,
  key: string | undefined,
): RefObject<string | null> {
  const movedFrom = useRef<string | null>(null);
  const latest = useLatest(onOpen);
  useEffect(() => {
    movedFrom.current = null;
  }, [resetKey]);
  useEffect(() => {
    if (!detailFollows || opened === null || key === undefined || movedFrom.current !== opened) return;
    const timer = setTimeout(() => {
      movedFrom.current = null;
      latest.current(key, false);
    }, FOLLOW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [detailFollows, opened, key, latest]);
  return movedFrom;
}
