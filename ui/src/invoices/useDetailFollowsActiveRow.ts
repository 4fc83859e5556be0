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
 * Opens the detail of the active row, whose key is `key` once its page is loaded, after a move by keyboard, which the returned
 * reference notes. The first row of another list is no move: it does not replace the open document.
 */
export function useDetailFollowsActiveRow(
  { detailFollows, opened, onOpen, resetKey }: ListProps,
  key: string | undefined,
): RefObject<boolean> {
  const moved = useRef(false);
  const latest = useLatest(onOpen);
  useEffect(() => {
    moved.current = false;
  }, [resetKey]);
  useEffect(() => {
    if (!detailFollows || opened === null || key === undefined || !moved.current) return;
    const timer = setTimeout(() => {
      moved.current = false;
      latest.current(key, false);
    }, FOLLOW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [detailFollows, opened, key, latest]);
  return moved;
}
