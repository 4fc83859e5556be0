/** Provides the localizer, and sets title, language, direction, theme and density of the document, and the keys that the user has chosen. */

import { createContext, type ReactNode, use, useLayoutEffect, useMemo } from "react";
import { I18nProvider } from "react-aria-components";
import { setCustomKeys } from "../components/shortcuts";
import { useMediaQuery } from "../components/useMediaQuery";
import type { Language, Preferences } from "../ipc/bindings";
import { type AllPreferences, defaultPreferences } from "../state/usePreferences";
import { chooseLanguage, createLocalizer, type Localizer } from "./localizer";
import { type Texts, useTexts } from "./texts";

const LocalizerContext = createContext<Localizer | null>(null);

/** Renders nothing until the texts of the language are loaded. */
export function LocalizerProvider({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  const all = { ...defaultPreferences, ...preferences };
  const shown = useTexts(chooseLanguage(all.language, navigator.languages));
  if (shown === null) return null;
  return (
    <LoadedLocalizer {...shown} preferences={all}>
      {children}
    </LoadedLocalizer>
  );
}

interface LoadedLocalizerProps {
  language: Language;
  texts: Texts;
  preferences: AllPreferences;
  children: ReactNode;
}

function LoadedLocalizer({ language, texts, preferences, children }: LoadedLocalizerProps) {
  const { digits, theme, calendar, currency, density, shortcuts } = preferences;
  const moreContrast = useMediaQuery("(prefers-contrast: more)");
  const localizer = useMemo(
    () => createLocalizer(language, digits, texts, { calendar, currency }),
    [language, digits, calendar, currency, texts],
  );
  // Runs before the first paint, so that no other direction or theme is visible.
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = localizer.language;
    root.dir = localizer.direction;
    root.dataset["theme"] = theme;
    root.dataset["contrast"] = theme === "highContrast" || (theme === "system" && moreContrast) ? "more" : "normal";
    root.dataset["density"] = density;
    setCustomKeys(shortcuts);
  }, [localizer, theme, moreContrast, density, shortcuts]);
  // A window with an organization has a longer title (useWindowTitle), which it sets after this.
  useLayoutEffect(() => {
    document.title = localizer.t("product");
  }, [localizer]);
  return (
    <LocalizerContext value={localizer}>
      <I18nProvider locale={localizer.locale}>{children}</I18nProvider>
    </LocalizerContext>
  );
}

export function useLocalizer(): Localizer {
  const localizer = use(LocalizerContext);
  if (!localizer) throw new Error("useLocalizer needs a LocalizerProvider above it");
  return localizer;
}
