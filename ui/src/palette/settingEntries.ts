/** The settings in the command palette: each value that one can be changed to, and the sections that have the others. */

import type { MessageId } from "../i18n/localizer";
import type { SettingsSection } from "../settings/sections";
import type { AllPreferences } from "../state/usePreferences";

const values = {
  theme: ["light", "dark", "system", "highContrast"],
  density: ["comfortable", "compact"],
  digits: ["latin", "arabic"],
  calendar: ["gregorian", "ummAlQura"],
  currency: ["code", "sign"],
  notifications: ["plain", "detailed", "off"],
} as const satisfies { [K in keyof AllPreferences]?: readonly AllPreferences[K][] };

type Values = typeof values;

/** A value of a setting, and what saves it. */
export type SettingEntry = {
  [K in keyof Values]: { label: `palette-${K}-${Values[K][number]}`; change: Pick<AllPreferences, K> };
}[keyof Values];

/** The values that the settings do not have now. */
export function otherSettings(preferences: AllPreferences): readonly SettingEntry[] {
  return (Object.keys(values) as (keyof Values)[]).flatMap((setting) =>
    values[setting]
      .filter((value) => preferences[setting] !== value)
      .map((value) => ({ label: `palette-${setting}-${value}`, change: { [setting]: value } }) as SettingEntry),
  );
}

/** What each section of the settings is found by, besides its name. */
export const sectionWords = {
  language: ["language", "digits", "settings-calendar", "settings-currency"],
  appearance: ["theme", "settings-density", "settings-zoom"],
  keys: [],
  notifications: ["notifications-content"],
  environments: [],
  accounts: [],
  connection: [],
} as const satisfies Record<SettingsSection, readonly MessageId[]>;
