/** Says that what belongs here is being read, where nothing is shown until then. */

import { useLocalizer } from "../i18n/LocalizerProvider";

export function LoadingText() {
  const { t } = useLocalizer();
  return (
    <p role="status" className="pulse text-fg-2">
      {t("loading")}
    </p>
  );
}
