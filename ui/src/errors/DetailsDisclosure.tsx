/** What is behind "Details". */

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Disclosure, DisclosurePanel } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";

export function DetailsDisclosure({ children }: { children: ReactNode }) {
  const { t } = useLocalizer();
  return (
    <Disclosure className="w-full">
      {({ isExpanded }) => (
        <>
          <Button
            slot="trigger"
            className="inline-flex min-h-6 items-center gap-1 rounded-sm text-fg-2 text-xs data-[hovered]:text-fg"
          >
            <ChevronRight size={13} aria-hidden="true" className={isExpanded ? "rotate-90" : "mirror-in-rtl"} />
            {t("details")}
          </Button>
          <DisclosurePanel>
            <div className="mt-1 flex flex-col items-start gap-2 rounded-md border border-line bg-surface p-3 text-start">
              {children}
            </div>
          </DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}
