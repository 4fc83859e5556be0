/** The disclosure that `ErrorDetails` loads. */

import { CopyButton } from "../components/CopyButton";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { DetailsDisclosure } from "./DetailsDisclosure";
import { details, detailsText } from "./supportDetails";

export function ErrorDetailsDisclosure({ error }: { error: CommandError }) {
  const { t } = useLocalizer();
  return (
    <DetailsDisclosure>
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
    </DetailsDisclosure>
  );
}
