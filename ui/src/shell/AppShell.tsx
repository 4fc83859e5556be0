/** Layout of the signed-in window: title bar, banners, sidebar, current view, status bar. */

import { Suspense, useRef, useState } from "react";
import { keepFocus } from "../components/keepFocus";
import { lazyComponent, lazyDialog } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useUnmount } from "../components/useLatest";
import { showWindowError } from "../errors/windowError";
import { InvoiceFiles } from "../import/InvoiceFiles";
import { InvoicesScreen } from "../invoices/InvoicesScreen";
import { DocumentLinks } from "../links/DocumentLinks";
import { CommandPalette } from "../palette/CommandPalette";
import { useSignInAfterSaving, WindowSignInContext } from "../session/windowSignIn";
import { NavigationContext, useNavigation } from "../state/navigation";
import { useNavigationState } from "../state/useNavigationState";
import { useWorkspace } from "../state/workspace";
import { useChangedData } from "../windows/useChangedData";
import { ErrorActions } from "./ErrorActions";
import { GlobalShortcuts } from "./GlobalShortcuts";
import { Sidebar } from "./Sidebar";
import { StatusBar } from "./StatusBar";
import { TitleBar } from "./TitleBar";
import { useFirstScreen } from "./useOfferedScreens";
import { useOutage } from "./useOutage";
import { ViewShortcuts } from "./ViewShortcuts";

const Banners = lazyComponent(async () => (await import("./Banners")).Banners);
const ClientsScreen = lazyComponent(async () => (await import("../clients/ClientsScreen")).ClientsScreen);
const AdministrationScreen = lazyComponent(
  async () => (await import("../administration/AdministrationScreen")).AdministrationScreen,
);
const DraftsScreen = lazyComponent(async () => (await import("../drafts/DraftsScreen")).DraftsScreen);
const EditorScreen = lazyComponent(async () => (await import("../editor/EditorScreen")).EditorScreen);
const InsightsScreen = lazyComponent(async () => (await import("../insights/InsightsScreen")).InsightsScreen);
const MenuBar = lazyComponent(async () => (await import("../windows/MenuBar")).MenuBar);
const Notices = lazyComponent(async () => (await import("../windows/Notices")).Notices);
const OrganizationSwitcher = lazyDialog(async () => (await import("../organizations/OrganizationSwitcher")).OrganizationSwitcher);
const OutboxDeliveries = lazyComponent(async () => (await import("../drafts/OutboxDeliveries")).OutboxDeliveries);
const OutagePage = lazyComponent(async () => (await import("./OutagePage")).OutagePage);
const SettingsScreen = lazyComponent(async () => (await import("../settings/SettingsScreen")).SettingsScreen);
const StatusMessage = lazyComponent(async () => (await import("./StatusMessage")).StatusMessage);
const TodayScreen = lazyComponent(async () => (await import("../today/TodayScreen")).TodayScreen);

export function AppShell() {
  const navigation = useNavigationState();
  const signIn = useSignInAfterSaving(navigation.flushAutosaves);
  // It was about another organization, or another person.
  useUnmount(() => showWindowError(null));
  return (
    <NavigationContext value={navigation}>
      <WindowSignInContext value={signIn}>
        <ErrorActions>
          <InvoiceFiles>
            <Window />
          </InvoiceFiles>
          <GlobalShortcuts />
          <CommandPalette />
          <DocumentLinks />
          <ViewShortcuts />
          <Suspense>
            <MenuBar />
            <Notices />
            <OutboxDeliveries />
            <StatusMessage />
          </Suspense>
        </ErrorActions>
      </WindowSignInContext>
    </NavigationContext>
  );
}

function Window() {
  const { organization } = useWorkspace();
  const [switching, setSwitching] = useState(false);
  useShortcut("switchOrganization", () => setSwitching(true));
  useChangedData();
  useFirstScreen();
  const outage = useOutage();
  const main = useRef<HTMLElement>(null);
  return (
    <div className="flex h-full flex-col" style={{ "--org": organization.color }}>
      <div className="org-edge h-[3px] shrink-0" data-pattern={organization.pattern % 8} aria-hidden="true" />
      <TitleBar onSwitch={() => setSwitching(true)} />
      <Suspense>
        <Banners outage={outage.banner} main={main} />
      </Suspense>
      <div className="flex min-h-0 flex-1">
        {outage.page === null && <Sidebar />}
        <main ref={main} tabIndex={-1} className="relative flex min-w-0 flex-1 bg-surface outline-none">
          <Suspense>
            {outage.page === null ? (
              <CurrentView />
            ) : (
              <div className="flex flex-1 overflow-y-auto">
                <OutagePage {...outage.page} />
              </div>
            )}
          </Suspense>
        </main>
      </div>
      <StatusBar />
      <OrganizationSwitcher
        isOpen={switching}
        onClose={() => {
          setSwitching(false);
          // What had the focus before, such as a row, can be of the former organization.
          keepFocus(() => document.querySelector("[data-switcher]"));
        }}
      />
    </div>
  );
}

function CurrentView() {
  const { view } = useNavigation();
  switch (view.name) {
    case "invoices":
      return <InvoicesScreen />;
    case "drafts":
      return <DraftsScreen />;
    case "today":
      return <TodayScreen />;
    case "clients":
      return <ClientsScreen />;
    case "insights":
      return <InsightsScreen />;
    case "editor":
      return <EditorScreen key={view.draft} draftKey={view.draft} />;
    case "administration":
      return <AdministrationScreen />;
    case "settings":
      return <SettingsScreen initial={view.section} />;
  }
}
