/** The texts of each language, loaded when it is first needed: a window shows one language, and its first screen no rule. */

import { useEffect, useState } from "react";
import type { Language } from "../ipc/bindings";

type Load = () => Promise<{ default: readonly string[] }>;

const imports: Record<Language, { first: Load; rules: Load }> = {
  en: { first: () => import("./texts/en"), rules: () => import("./texts/en-rules") },
  ar: { first: () => import("./texts/ar"), rules: () => import("./texts/ar-rules") },
};

const loaded = new Map<Language, readonly string[]>();

/** Loads the texts of a language. They come with the program, so that this fails only if it is damaged. */
export async function loadTexts(language: Language): Promise<void> {
  const { first, rules } = imports[language];
  loaded.set(language, [...(await first()).default, ...(await rules()).default]);
}

/** Begins to load the texts that the first screen shows in a language. */
export function prefetchTexts(language: Language): void {
  // What cannot be loaded fails when it is needed.
  imports[language].first().catch(() => undefined);
}

/** The Fluent sources of a language. */
export type Texts = readonly string[];

/** The sources of a language that `loadTexts` has loaded. */
export function textsOf(language: Language): Texts {
  const texts = loaded.get(language);
  if (!texts) throw new Error(`the texts of ${language} are not loaded`);
  return texts;
}

/**
 * The texts to show: those of the wanted language, or of the one before until they are loaded; `null` at first. They come without
 * the rules at first, and again with them.
 */
export function useTexts(wanted: Language): { language: Language; texts: Texts } | null {
  const [shown, setShown] = useState<{ language: Language; texts: Texts } | null>(null);
  useEffect(() => {
    let current = true;
    const show = () => {
      const texts = loaded.get(wanted);
      if (current && texts) setShown({ language: wanted, texts });
    };
    const load = async () => {
      if (!loaded.has(wanted)) {
        loaded.set(wanted, (await imports[wanted].first()).default);
        show();
        await loadTexts(wanted);
      }
      show();
    };
    void load();
    return () => {
      current = false;
    };
  }, [wanted]);
  const texts = loaded.get(wanted);
  return shown?.language !== wanted && texts ? { language: wanted, texts } : shown;
}
