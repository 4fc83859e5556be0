/** A localizer of a language that is perhaps not the one of the window. */

import { useEffect, useState } from "react";
import type { Language } from "../ipc/bindings";
import { createLocalizer, type Localizer } from "./localizer";
import { loadTexts } from "./texts";

/** `null` until the texts of the language are loaded. */
export function useLocalizerOf(language: Language): Localizer | null {
  const [localizer, setLocalizer] = useState<Localizer | null>(null);
  useEffect(() => {
    let current = true;
    const load = async () => {
      await loadTexts(language);
      if (current) setLocalizer(createLocalizer(language, "latin"));
    };
    void load();
    return () => {
      current = false;
    };
  }, [language]);
  return localizer;
}
