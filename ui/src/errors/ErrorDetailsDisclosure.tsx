/** The disclosure that `ErrorDetails` loads. */

import { ChevronRight } from "lucide-react";
import { Button, Disclosure, DisclosurePanel } from "react-aria-components";
import { CopyButton } from "../components/CopyButton";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { details, detailsText } from "./supportDetails";

export function ErrorDetailsDisclosure({ error }: { error: CommandError }) {
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
              <dl className="grid w-full grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs" data-selectable="">
                {details(error).map(([name, value]) => (
                  <div key={name} className="contents">
                    <dt className="text-fg-3">{t(`detail-${name}`)}</dt>
                    <dd className="min-w-0 break-words text-fg-2">
                      <bdi dir={name === "message" ? "auto" : "ltr"}>{value}</bdi>
                    </dd>
                  </div>
                ))}
              </dl>
              <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(error)} />
            </div>
          </DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}
