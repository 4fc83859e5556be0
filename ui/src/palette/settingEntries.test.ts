/** Tests of the settings in the command palette. */

import { expect, test } from "vitest";
import { defaultPreferences } from "../state/usePreferences";
import { otherSettings } from "./settingEntries";

test("the palette offers each value that a setting does not have", () => {
  const values = otherSettings({ ...defaultPreferences, density: "compact" }).map(({ label }) => label);
  expect(otherSettings(defaultPreferences)[3]?.change).toEqual({ density: "compact" });
  expect(values).toEqual([
    "palette-theme-light",
    "palette-theme-dark",
    "palette-theme-highContrast",
    "palette-density-comfortable",
    "palette-digits-arabic",
    "palette-calendar-ummAlQura",
    "palette-currency-sign",
    "palette-notifications-detailed",
    "palette-notifications-off",
  ]);
});

test("no notifications is a value like any other", () => {
  const off = otherSettings(defaultPreferences).find(({ label }) => label === "palette-notifications-off");
  expect(off?.change).toEqual({ notifications: "off" });
});
