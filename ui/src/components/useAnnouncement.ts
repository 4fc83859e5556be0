/** Announcements of what a view shows without moving the focus to it (WCAG 2.2, 4.1.3). */

import { useEffect } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import { announce } from "./announce";
import { useLatest } from "./useLatest";

/** How long a text has to stay before it is announced: what follows typing is said once, after the last key. */
export const ANNOUNCE_MS = 600;

/**
 * Announces a text that has appeared. It is announced again when `about` changes, which is what the text is about: by default the text
 * itself, but not for one that counts. `null`: there is nothing to say.
 */
export function useAnnouncement(text: string | null, about: string | null = text): void {
  const latest = useLatest(text);
  const subject = text === null ? null : about;
  useEffect(() => {
    if (subject === null) return;
    const timer = setTimeout(() => announce(plainText(latest.current ?? "")), ANNOUNCE_MS);
    return () => clearTimeout(timer);
  }, [subject, latest]);
}

/**
 * Announces how many items a list has for a search or a filter. `search` is empty while nothing is searched, and `count` is `null` until it is
 * known. `none` says that nothing was found. With `hasMore` these are the first of a list in pages, whose length nobody knows.
 */
export function useResultAnnouncement(search: string, count: number | null, none: string, hasMore = false): void {
  const { t } = useLocalizer();
  const text = count === 0 ? none : t(hasMore ? "list-shown" : "palette-results", { count: count ?? 0 });
  useAnnouncement(search === "" || count === null ? null : text, search);
}
