/** The exports and bulk runs of the organization above the list, and the dialog of the one that is shown. */

import { Suspense, useRef } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { activeRow } from "../state/navigation";
import { BulkStrip } from "./BulkStrip";
import { ExportLine } from "./ExportLine";
import { useBulkRuns } from "./useBulkRuns";
import { useExports } from "./useExports";

const BulkRunDialog = lazyComponent(async () => (await import("./BulkRunDialog")).BulkRunDialog);

export interface BulkRunsProps {
  /** The id of the run whose dialog is open. */
  shown: string | null;
  onShow: (run: string | null) => void;
  onOpen: (key: string) => void;
}

export function BulkRuns({ shown, onShow, onOpen }: BulkRunsProps) {
  const runs = useBulkRuns();
  const run = runs.find(({ id }) => id === shown);
  const exports = useExports();
  const lines = useRef<HTMLDivElement>(null);
  // The button that closes a line goes with it.
  useFocusAfterRemoval(lines, () => document.querySelector<HTMLElement>(activeRow));
  return (
    <div ref={lines} className="contents">
      {exports.map((each) => (
        <ExportLine key={each.id} exported={each} />
      ))}
      <BulkStrip runs={runs} onShow={onShow} />
      {run && (
        <Suspense fallback={null}>
          <BulkRunDialog
            run={run}
            onOpen={(key) => {
              onShow(null);
              onOpen(key);
            }}
            onClose={() => onShow(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
