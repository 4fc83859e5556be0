/** Asks whether what was typed is discarded. */

import { useLocalizer } from "../i18n/LocalizerProvider";

export function DiscardQuestionText() {
  const { t } = useLocalizer();
  return (
    <p role="alert" className="w-full text-warning">
      {t("form-discard-question")}
    </p>
  );
}
