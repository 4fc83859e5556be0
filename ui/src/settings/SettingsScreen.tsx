/** The settings of this computer: sections at the side, the chosen one beside them. */

import { Bell, Cable, Globe, Keyboard, type LucideIcon, Palette, Server, Users, X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { IconButton } from "../components/Button";
import { useShortcut } from "../components/shortcuts";
import { useTakeFocus } from "../components/useTakeFocus";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useNavigation } from "../state/navigation";
import { AccountSettings } from "./AccountSettings";
import { AppearanceSettings } from "./AppearanceSettings";
import { ConnectionSettings } from "./ConnectionSettings";
import { EnvironmentSettings } from "./EnvironmentSettings";
import { LanguageSettings } from "./LanguageSettings";
import { NotificationSettings } from "./NotificationSettings";
import { ShortcutSettings } from "./ShortcutSettings";
import { type SettingsSection, settingsSections } from "./sections";

const icons: Record<SettingsSection, LucideIcon> = {
  language: Globe,
  appearance: Palette,
  keys: Keyboard,
  notifications: Bell,
  environments: Server,
  accounts: Users,
  connection: Cable,
};

const screens: Record<SettingsSection, () => ReactNode> = {
  language: LanguageSettings,
  appearance: AppearanceSettings,
  keys: ShortcutSettings,
  notifications: NotificationSettings,
  environments: EnvironmentSettings,
  accounts: AccountSettings,
  connection: ConnectionSettings,
};

export function SettingsScreen({ initial }: { initial?: SettingsSection | undefined }) {
  const { t } = useLocalizer();
  const { navigate, view } = useNavigation();
  const [section, setSection] = useState<SettingsSection>(initial ?? "language");
  // The palette leads to a section also from another one.
  const [shownFor, setShownFor] = useState(view);
  if (view !== shownFor) {
    setShownFor(view);
    if (initial) setSection(initial);
  }
  const list = useRef<HTMLElement>(null);
  const close = () => navigate({ name: "invoices" });
  useShortcut("close", close);
  useTakeFocus(true, () => list.current?.querySelector<HTMLElement>('[aria-current="true"]') ?? null);
  const Screen = screens[section];
  return (
    <section aria-labelledby="settings-title" className="flex min-w-0 flex-1 flex-col">
      <header className="flex min-h-10 shrink-0 items-center justify-between border-line border-b px-3">
        <h1 id="settings-title" className="font-semibold text-md">
          {t("settings")}
        </h1>
        <IconButton label={t("settings-close")} icon={<X size={16} aria-hidden="true" />} onPress={close} />
      </header>
      <div className="flex min-h-0 flex-1 max-narrow:flex-col">
        <nav
          ref={list}
          aria-label={t("settings-sections")}
          className="flex w-56 shrink-0 flex-col gap-0.5 overflow-y-auto border-line border-e p-2 max-narrow:w-full max-narrow:flex-row max-narrow:flex-wrap max-narrow:border-e-0 max-narrow:border-b"
        >
          {settingsSections.map((id) => {
            const Icon = icons[id];
            const current = id === section;
            return (
              <AriaButton
                key={id}
                onPress={() => setSection(id)}
                {...(current ? { "aria-current": "true" as const } : {})}
                className={`flex min-h-8 items-center gap-2 rounded-md px-2 text-start ${current ? "bg-accent-soft font-semibold text-fg" : "text-fg-2 data-[hovered]:bg-sunken data-[hovered]:text-fg"}`}
              >
                <Icon size={15} aria-hidden="true" className={`shrink-0 ${current ? "text-accent" : "text-fg-3"}`} />
                {t(`settings-${id}`)}
              </AriaButton>
            );
          })}
        </nav>
        <div data-region="" className="min-h-0 min-w-0 flex-1 overflow-y-auto" key={section}>
          <div className="flex max-w-170 flex-col gap-6 p-5 max-narrow:p-3">
            <h2 className="font-semibold text-md">{t(`settings-${section}`)}</h2>
            <Screen />
          </div>
        </div>
      </div>
    </section>
  );
}
