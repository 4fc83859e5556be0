/** Language and zoom of the paper, and whether it is shown beside the form. They last until the window is closed. */

import { createValueStore, useValueStore } from "../components/valueStore";
import type { Language, PrintLanguage } from "../ipc/bindings";

/** In percent of the width of the pane. */
export const zooms = [100, 150, 200, 300] as const;
export type Zoom = (typeof zooms)[number];

export interface PaperChoices {
  /** `null`: that of the user interface. */
  language: PrintLanguage | null;
  zoom: Zoom;
  /** Beside the form, in a window that is wide enough. */
  beside: boolean;
}

const store = createValueStore<PaperChoices>({ language: null, zoom: 100, beside: true });

export function choosePaper(part: Partial<PaperChoices>): void {
  store.set({ ...store.get(), ...part });
}

export function usePaperChoices(): PaperChoices {
  return useValueStore(store);
}

/** The chosen language of the paper, or that of the user interface. */
export function paperLanguage(chosen: PrintLanguage | null, language: Language): PrintLanguage {
  return chosen ?? (language === "ar" ? "arabic" : "english");
}
