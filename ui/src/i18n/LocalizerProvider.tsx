/** Provides the localizer, and sets language, direction and theme of the document. */

import { createContext, type ReactNode, use, useLayoutEffect, useMemo } from "react";
import { I18nProvider } from "react-aria-components";
import type { Preferences } from "../ipc/bindings";
import { chooseLanguage, createLocalizer, type Localizer } from "./localizer";

const LocalizerContext = createContext<Localizer | null>(null);

export function LocalizerProvider({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  const { digits, theme } = preferences;
  const language = chooseLanguage(preferences.language, navigator.languages);
  const localizer = useMemo(() => createLocalizer(language, digits), [language, digits]);
  // Runs before the first paint, so that no other direction or theme is visible.
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = localizer.language;
    root.dir = localizer.direction;
    root.dataset["theme"] = theme;
  }, [localizer, theme]);
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
