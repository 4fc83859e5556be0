/** The settings of the screen in the command palette: each value that one can be changed to. */

import type { AllPreferences } from "../state/usePreferences";

const values = {
  theme: ["light", "dark", "system", "highContrast"],
  density: ["comfortable", "compact"],
  digits: ["latin", "arabic"],
  calendar: ["gregorian", "ummAlQura"],
  currency: ["code", "sign"],
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
