/** How the paper is shown: its language and place, which are preferences, and its zoom, which lasts until the window is closed. */

import { createValueStore, useValueStore } from "../components/valueStore";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PaperPreferences, PrintLanguage } from "../ipc/bindings";
import { usePreferences } from "../state/usePreferences";

export const paperLanguages: readonly PrintLanguage[] = ["english", "arabic", "both"];

/** The most pages that are printed: more than any document has. */
export const ALL_PAGES = 200;

/** In percent of the width of the pane. */
export const zooms = [100, 150, 200, 300] as const;
export type Zoom = (typeof zooms)[number];

const zoomStore = createValueStore<Zoom>(100);

export function choosePaperZoom(zoom: Zoom): void {
  zoomStore.set(zoom);
}

export function usePaperZoom(): Zoom {
  return useValueStore(zoomStore);
}

/** The language of the paper, whether it stands beside the form, and a function that changes them. */
export function usePaperChoices(): {
  language: PrintLanguage;
  besideForm: boolean;
  choose: (part: PaperPreferences) => void;
} {
  const { language } = useLocalizer();
  const { preferences, change } = usePreferences();
  const { paper } = preferences;
  return {
    language: paper.language ?? (language === "ar" ? "arabic" : "english"),
    besideForm: paper.besideForm ?? true,
    choose: (part) => change({ paper: { ...paper, ...part } }),
  };
}
