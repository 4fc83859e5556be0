/** The window around everything: the organization's edge, title row, rail, work, status bar. */

import { useState } from "react";
import { NavigationContext, useNavigation } from "../app/navigation";
import { usePreferences } from "../app/preferences";
import { useNavigationState } from "../app/useNavigationState";
import { useWorkplace } from "../app/workplace";
import { DraftsScreen } from "../drafts/DraftsScreen";
import { useDeliveries } from "../drafts/useDeliveries";
import { EditorScreen } from "../editor/EditorScreen";
import { useNewDraft } from "../editor/useNewDraft";
import { InvoicesScreen } from "../invoices/InvoicesScreen";
import { OrganizationSwitcher } from "../organizations/OrganizationSwitcher";
import { usePinnedShortcuts } from "../organizations/usePinnedShortcuts";
import { useShortcut } from "../parts/keys";
import { useWords } from "../words/WordsProvider";
import { Rail } from "./Rail";
import { SessionBars } from "./SessionBars";
import { ShortcutSheet } from "./ShortcutSheet";
import { StatusBar } from "./StatusBar";
import { TitleRow } from "./TitleRow";

export function Frame() {
  const navigation = useNavigationState();
  return (
    <NavigationContext value={navigation}>
      <Window />
      <ShortcutsEverywhere />
    </NavigationContext>
  );
}

function Window() {
  const { organization } = useWorkplace();
  const [switching, setSwitching] = useState(false);
  useShortcut("switchOrganization", () => setSwitching(true));
  useDeliveries();
  return (
    <div className="flex h-full flex-col" style={{ "--org": organization.color }}>
      <div className="org-edge h-[3px] shrink-0" data-pattern={organization.pattern % 8} aria-hidden="true" />
      <TitleRow onSwitch={() => setSwitching(true)} />
      <SessionBars />
      <div className="flex min-h-0 flex-1">
        <Rail />
        <main className="relative flex min-w-0 flex-1 bg-surface">
          <CurrentView onSwitch={() => setSwitching(true)} />
        </main>
      </div>
      <StatusBar />
      <OrganizationSwitcher isOpen={switching} onClose={() => setSwitching(false)} />
    </div>
  );
}

function CurrentView({ onSwitch }: { onSwitch: () => void }) {
  const { view } = useNavigation();
  switch (view.name) {
    case "invoices":
      return <InvoicesScreen onSwitch={onSwitch} />;
    case "drafts":
      return <DraftsScreen />;
    case "editor":
      return <EditorScreen key={view.draft} draftKey={view.draft} />;
  }
}

function ShortcutsEverywhere() {
  const { language } = useWords();
  const { change } = usePreferences();
  const { start } = useNewDraft();
  const [sheet, setSheet] = useState(false);
  useShortcut("newInvoice", () => start(null));
  useShortcut("language", () => change({ language: language === "ar" ? "en" : "ar" }));
  useShortcut("sheet", () => setSheet(true));
  usePinnedShortcuts();
  return <ShortcutSheet isOpen={sheet} onClose={() => setSheet(false)} />;
}
