/** Tests of the section that the settings show when they are led to one. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { type Navigation, NavigationContext, type View } from "../state/navigation";
import { SettingsScreen } from "./SettingsScreen";
import type { SettingsSection } from "./sections";

vi.mock("./AccountSettings", () => ({ AccountSettings: () => null }));
vi.mock("./AppearanceSettings", () => ({ AppearanceSettings: () => null }));
vi.mock("./ConnectionSettings", () => ({ ConnectionSettings: () => null }));
vi.mock("./EnvironmentSettings", () => ({ EnvironmentSettings: () => null }));
vi.mock("./LanguageSettings", () => ({ LanguageSettings: () => null }));
vi.mock("./NotificationSettings", () => ({ NotificationSettings: () => null }));
vi.mock("./ShortcutSettings", () => ({ ShortcutSettings: () => null }));
afterEach(cleanup);

function place(section: SettingsSection) {
  const view: View = { name: "settings", section };
  return (
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <NavigationContext value={{ view, navigate: vi.fn() } as unknown as Navigation}>
        <SettingsScreen initial={section} />
      </NavigationContext>
    </LocalizerProvider>
  );
}

const title = () => screen.getByRole("heading", { level: 2 }).textContent;

test("another section that the settings are led to is shown, also the first one again", () => {
  const { rerender } = render(place("notifications"));
  expect(title()).toBe("Notifications");
  rerender(place("appearance"));
  expect(title()).toBe("Appearance");
  fireEvent.click(screen.getByRole("button", { name: "Accounts" }));
  expect(title()).toBe("Accounts");
  rerender(place("appearance"));
  expect(title()).toBe("Appearance");
});
