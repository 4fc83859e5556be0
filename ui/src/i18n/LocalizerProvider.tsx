/** Provides the localizer, and sets language, direction and theme of the document. */

import { createContext, type ReactNode, use, useLayoutEffect, useMemo } from "react";
import { I18nProvider } from "react-aria-components";
import type { Digits, Language, Preferences, Theme } from "../ipc/bindings";
import { chooseLanguage, createLocalizer, type Localizer } from "./localizer";
import { type Texts, useTexts } from "./texts";

const LocalizerContext = createContext<Localizer | null>(null);

/** Renders nothing until the texts of the language are loaded. */
export function LocalizerProvider({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  const { digits, theme } = preferences;
  const shown = useTexts(chooseLanguage(preferences.language, navigator.languages));
  if (shown === null) return null;
  return (
    <LoadedLocalizer {...shown} digits={digits} theme={theme}>
      {children}
    </LoadedLocalizer>
  );
}

interface LoadedLocalizerProps {
  language: Language;
  texts: Texts;
  digits: Digits;
  theme: Theme;
  children: ReactNode;
}

function LoadedLocalizer({ language, texts, digits, theme, children }: LoadedLocalizerProps) {
  const localizer = useMemo(() => createLocalizer(language, digits, texts), [language, digits, texts]);
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
