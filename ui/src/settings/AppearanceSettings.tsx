/** Theme, density and zoom. */

import { Minus, Plus } from "lucide-react";
import { Button, IconButton } from "../components/Button";
import { Kbd } from "../components/Kbd";
import { RadioChoices } from "../components/RadioChoices";
import { useShortcutKeys } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { usePreferences } from "../state/usePreferences";
import { MAX_ZOOM, MIN_ZOOM, zoomAfter } from "./zoom";

export function AppearanceSettings() {
  const { t } = useLocalizer();
  const { preferences, change } = usePreferences();
  return (
    <>
      <RadioChoices
        label={t("theme")}
        hint={t("settings-theme-hint")}
        value={preferences.theme}
        onChange={(theme) => change({ theme })}
        choices={[
          { id: "system", label: t("theme-system"), sample: <Swatch theme="system" /> },
          { id: "light", label: t("theme-light"), sample: <Swatch theme="light" /> },
          { id: "dark", label: t("theme-dark"), sample: <Swatch theme="dark" /> },
          { id: "highContrast", label: t("theme-highContrast"), sample: <Swatch theme="highContrast" /> },
        ]}
      />
      <RadioChoices
        label={t("settings-density")}
        hint={t("settings-density-hint")}
        value={preferences.density}
        onChange={(density) => change({ density })}
        choices={[
          { id: "comfortable", label: t("density-comfortable") },
          { id: "compact", label: t("density-compact") },
        ]}
      />
      <Zoom />
    </>
  );
}

/** What a theme looks like: paper, ink and accent. */
function Swatch({ theme }: { theme: "system" | "light" | "dark" | "highContrast" }) {
  return (
    <span data-swatch={theme} aria-hidden="true" className="theme-swatch">
      <span />
      <span />
    </span>
  );
}

function Zoom() {
  const { t, format } = useLocalizer();
  const { preferences, change } = usePreferences();
  const smaller = useShortcutKeys("zoomOut");
  const larger = useShortcutKeys("zoomIn");
  const { zoom } = preferences;
  return (
    <section aria-labelledby="zoom-title" className="flex flex-col gap-1.5">
      <h3 id="zoom-title" className="text-fg-2 text-xs">
        {t("settings-zoom")}
      </h3>
      <div className="flex flex-wrap items-center gap-2">
        <span className="inline-flex items-center rounded-md border border-line-strong">
          <IconButton
            isAtLimit={zoom <= MIN_ZOOM}
            label={t("zoom-out")}
            icon={<Minus size={14} aria-hidden="true" />}
            onPress={() => change({ zoom: zoomAfter(zoom, -1) })}
          />
          <output aria-live="polite" className="numeric min-w-14 text-center">
            {format.percent(String(zoom))}
          </output>
          <IconButton
            isAtLimit={zoom >= MAX_ZOOM}
            label={t("zoom-in")}
            icon={<Plus size={14} aria-hidden="true" />}
            onPress={() => change({ zoom: zoomAfter(zoom, 1) })}
          />
        </span>
        <Button shortcut="zoomReset" onPress={() => change({ zoom: 100 })}>
          {t("zoom-reset")}
        </Button>
        <Kbd keys={larger} />
        <Kbd keys={smaller} />
      </div>
      <p className="text-fg-2 text-xs">{t("settings-zoom-hint")}</p>
    </section>
  );
}
