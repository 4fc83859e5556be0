/** Prints the pages of a document that is shown. */

import { useCallback, useRef } from "react";
import { useIsShown } from "../components/useIsShown";
import type { PrintedPages } from "../ipc/bindings";
import { printSheet } from "./printSheet";

/**
 * A function that makes pages and prints them: one print at a time, and none once the view is left. Making many pages takes a while, and the
 * dialog of the system would come over another document, or over another organization.
 */
export function usePrint(): (make: () => Promise<PrintedPages>) => Promise<void> {
  const isShown = useIsShown();
  const isRunning = useRef(false);
  return useCallback(
    async (make) => {
      if (isRunning.current) return;
      isRunning.current = true;
      try {
        const { images } = await make();
        if (isShown.current) await printSheet(images);
      } finally {
        isRunning.current = false;
      }
    },
    [isShown],
  );
}
