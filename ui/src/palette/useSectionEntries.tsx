/** The sections of the settings in the command palette. */

import { Settings2 } from "lucide-react";
import { useMemo } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import { useLocalizerOf } from "../i18n/useLocalizerOf";
import { type SettingsSection, settingsSections } from "../settings/sections";
import { useNavigation } from "../state/navigation";
import { sectionWords } from "./settingEntries";
import type { PaletteEntry } from "./useEntries";

export function useSectionEntries(): readonly PaletteEntry[] {
  const localizer = useLocalizer();
  const { navigate } = useNavigation();
  const other = useLocalizerOf(localizer.language === "ar" ? "en" : "ar");
  return useMemo(
    () =>
      settingsSections.map((section): PaletteEntry => {
        const { t } = localizer;
        return {
          id: `settings:${section}`,
          kind: "screen",
          label: t(`settings-${section}`),
          detail: [t("settings")],
          also: [...wordsOf(section, localizer), ...(other ? [other.t(`settings-${section}`), ...wordsOf(section, other)] : [])],
          typedOnly: true,
          icon: <Settings2 size={15} aria-hidden="true" />,
          run: () => navigate({ name: "settings", section }),
        };
      }),
    [localizer, navigate, other],
  );
}

function wordsOf(section: SettingsSection, { t }: Localizer): string[] {
  return [t("settings"), ...sectionWords[section].map((id) => t(id))];
}
