/** Checkbox of a sign-in: whether the session is stored for the next start. */

import { Checkbox } from "../components/Checkbox";
import { useLocalizer } from "../i18n/LocalizerProvider";

export function RememberMe({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  const { t } = useLocalizer();
  return (
    <div>
      <Checkbox isSelected={value} onChange={onChange}>
        {t("remember-me")}
      </Checkbox>
      {!value && <p className="ps-6 text-fg-2 text-xs">{t("remember-me-hint")}</p>}
    </div>
  );
}
