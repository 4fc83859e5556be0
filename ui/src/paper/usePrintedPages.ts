/** The pages of a document as they are printed. One request runs at a time; of those that come meanwhile, only the newest. */

import { useCallback, useEffect, useRef, useState } from "react";
import type { CommandError, PrintedPages } from "../ipc/bindings";
import { commandError } from "../ipc/call";

export interface PrintedPagesState {
  /** The last pages that were made; they stay until newer ones are there. */
  pages: PrintedPages | null;
  error: CommandError | null;
  /** Makes them again. */
  retry: () => void;
}

/** Longest wait before pages that take long are made again. */
const MAX_DELAY_MS = 2_000;

/**
 * `print` makes the pages, after `delay` milliseconds without another one. If the last pages took longer, it waits as long as they
 * took: a document of many pages is not made anew at every pause.
 */
export function usePrintedPages(print: () => Promise<PrintedPages>, delay: number): PrintedPagesState {
  const [pages, setPages] = useState<PrintedPages | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const next = useRef<(() => Promise<PrintedPages>) | null>(null);
  const running = useRef(false);
  const took = useRef(0);
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
      next.current = null;
    };
  }, []);

  const run = useCallback(async () => {
    if (running.current) return;
    running.current = true;
    while (next.current) {
      const newest = next.current;
      next.current = null;
      const started = performance.now();
      try {
        const made = await newest();
        // Decoded before it is shown, so that no page is empty for a moment.
        await Promise.all(made.images.map(decode));
        took.current = performance.now() - started;
        if (shown.current) {
          setPages(made);
          setError(null);
        }
      } catch (thrown) {
        const failure = commandError(thrown);
        if (shown.current && next.current === null && failure.kind !== "staleBinding") setError(failure);
      }
    }
    running.current = false;
  }, []);
  useEffect(() => {
    const wait = Math.max(delay, Math.min(took.current, MAX_DELAY_MS));
    const timer = setTimeout(() => {
      next.current = print;
      void run();
    }, wait);
    return () => clearTimeout(timer);
  }, [print, delay, run]);
  const retry = useCallback(() => {
    next.current = print;
    void run();
  }, [print, run]);
  return { pages, error, retry };
}

async function decode(source: string): Promise<void> {
  const image = new Image();
  image.src = source;
  // An image that cannot be decoded is shown as one that is broken, with its description.
  await image.decode().catch(() => undefined);
}
