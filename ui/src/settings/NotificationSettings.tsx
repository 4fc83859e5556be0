/** Whether the system tells what has ended, and how much of it. */

import { RadioChoices } from "../components/RadioChoices";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { usePreferences } from "../state/usePreferences";

export function NotificationSettings() {
  const { t } = useLocalizer();
  const { preferences, change } = usePreferences();
  return (
    <>
      <p className="text-fg-2">{t("settings-notifications-hint")}</p>
      <RadioChoices
        label={t("notifications-content")}
        hint={t("notifications-content-hint")}
        value={preferences.notifications}
        onChange={(notifications) => change({ notifications })}
        choices={[
          { id: "plain", label: t("notifications-plain") },
          { id: "detailed", label: t("notifications-detailed") },
          { id: "off", label: t("notifications-off") },
        ]}
      />
    </>
  );
}
