/** The shortcuts that change how the window is looked at: its language, its zoom, and the region with the focus. */

import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { zoomAfter } from "../settings/zoom";
import { usePreferences } from "../state/usePreferences";
import { focusRegion } from "./regions";

/** Whoever cannot read a dialog makes it larger. */
const overDialogs = { overDialogs: true };

export function ViewShortcuts() {
  const { language } = useLocalizer();
  const { preferences, change } = usePreferences();
  useShortcut("language", () => change({ language: language === "ar" ? "en" : "ar" }));
  useShortcut("zoomIn", () => change({ zoom: zoomAfter(preferences.zoom, 1) }), true, overDialogs);
  useShortcut("zoomOut", () => change({ zoom: zoomAfter(preferences.zoom, -1) }), true, overDialogs);
  useShortcut("zoomReset", () => change({ zoom: 100 }), true, overDialogs);
  useShortcut("nextSection", () => focusRegion(1));
  useShortcut("previousSection", () => focusRegion(-1));
  return null;
}
