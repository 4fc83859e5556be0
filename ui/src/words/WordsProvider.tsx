/** Gives every screen its words, and the document its language, direction and theme. */

import { createContext, type ReactNode, use, useLayoutEffect, useMemo } from "react";
import { I18nProvider } from "react-aria-components";
import type { Preferences } from "../ipc/bindings";
import { chooseLanguage, createWords, type Words } from "./words";

const WordsContext = createContext<Words | null>(null);

export function WordsProvider({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  const { digits, theme } = preferences;
  const language = chooseLanguage(preferences.language, navigator.languages);
  const words = useMemo(() => createWords(language, digits), [language, digits]);
  // Before the first paint: nothing flashes in the other direction or theme.
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = words.language;
    root.dir = words.direction;
    root.dataset["theme"] = theme;
  }, [words, theme]);
  return (
    <WordsContext value={words}>
      <I18nProvider locale={words.locale}>{children}</I18nProvider>
    </WordsContext>
  );
}

export function useWords(): Words {
  const words = use(WordsContext);
  if (!words) throw new Error("useWords needs a WordsProvider above it");
  return words;
}
