/** What is merged without a choice, of each side. */

import { ChevronRight } from "lucide-react";
import { Button, Disclosure, DisclosurePanel } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { ChangeList } from "./ChangeList";
import type { Change } from "./changes";
import type { MergeResult } from "./threeWayMerge";

export function MergedChanges({ merged, currency }: { merged: MergeResult["merged"]; currency: string }) {
  return (
    <div className="flex flex-col gap-1 empty:hidden">
      <Changes message="compare-merged-theirs" changes={merged.theirs} currency={currency} />
      <Changes message="compare-merged-mine" changes={merged.mine} currency={currency} />
    </div>
  );
}

function Changes({
  message,
  changes,
  currency,
}: {
  message: "compare-merged-theirs" | "compare-merged-mine";
  changes: readonly Change[];
  currency: string;
}) {
  const { t } = useLocalizer();
  if (changes.length === 0) return null;
  return (
    <Disclosure>
      {({ isExpanded }) => (
        <>
          <Button
            slot="trigger"
            className="inline-flex min-h-6 items-center gap-1 rounded-sm text-start text-fg-2 data-[hovered]:text-fg"
          >
            <ChevronRight size={13} aria-hidden="true" className={`shrink-0 ${isExpanded ? "rotate-90" : "mirror-in-rtl"}`} />
            {t(message, { count: changes.length })}
          </Button>
          <DisclosurePanel>
            {isExpanded && (
              <div className="mt-1 rounded-md border border-line px-3">
                <ChangeList changes={changes} currency={currency} />
              </div>
            )}
          </DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}
