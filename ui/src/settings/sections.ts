/** The sections of the settings, in their order. */

export const settingsSections = [
  "language",
  "appearance",
  "keys",
  "notifications",
  "environments",
  "accounts",
  "connection",
] as const;

export type SettingsSection = (typeof settingsSections)[number];
