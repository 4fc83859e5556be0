/** Account menu: language, theme, digits, refreshing roles, help, signing out. */

import { FileInput, LifeBuoy, LogOut, Power, RefreshCw, Settings, SquareTerminal, Users } from "lucide-react";
import { useState } from "react";
import { Button as AriaButton, MenuTrigger } from "react-aria-components";
import { runCommand, useCommand } from "../components/commands";
import { lazyDialog } from "../components/lazyComponent";
import { MenuItem, MenuPopover, MenuSection, MenuSeparator } from "../components/Menu";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useInvoiceFiles } from "../import/invoiceFilesContext";
import { useWindowSignIn } from "../session/windowSignIn";
import { useNavigation } from "../state/navigation";
import { usePreferences } from "../state/usePreferences";
import { useWorkspace } from "../state/workspace";
import { initials } from "./initials";

const AccountsDialog = lazyDialog(async () => (await import("../accounts/AccountsDialog")).AccountsDialog);
const SupportDialog = lazyDialog(async () => (await import("../support/SupportDialog")).SupportDialog);

export function AccountMenu() {
  const { t, language } = useLocalizer();
  const { preferences, change } = usePreferences();
  const { session } = useWorkspace();
  const { flushAutosaves, navigate } = useNavigation();
  const signIn = useWindowSignIn();
  const { choose } = useInvoiceFiles();
  const { account } = session;
  const [accounts, setAccounts] = useState(false);
  const [help, setHelp] = useState(false);
  // Drafts are saved before the session ends, and stay on this computer.
  const signOut = () => void flushAutosaves().then(signIn.signOut, () => undefined);
  useCommand("accounts", "accounts", () => setAccounts(true));
  useCommand("help", "help-connection", () => setHelp(true));
  useCommand("refresh", "act-refreshOrganizations", signIn.refreshOrganizations);
  useCommand("sign-out", "sign-out", signOut);
  return (
    <>
      <MenuTrigger>
        <AriaButton className="relative inline-flex size-7 shrink-0 items-center justify-center rounded-full border border-line-strong bg-sunken font-semibold text-2xs text-fg-2 data-[hovered]:text-fg">
          <span aria-hidden="true">{initials(account.name)}</span>
          <span className="visually-hidden">{t("account-menu", { name: account.name })}</span>
        </AriaButton>
        <MenuPopover label={t("account-menu", { name: account.name })} placement="bottom end">
          <MenuSection title={account.username === "" ? account.name : account.username}>
            <MenuItem id="refresh" icon={<RefreshCw size={14} aria-hidden="true" />} onAction={signIn.refreshOrganizations}>
              {t("act-refreshOrganizations")}
            </MenuItem>
            <MenuItem id="accounts" icon={<Users size={14} aria-hidden="true" />} onAction={() => setAccounts(true)}>
              {t("accounts")}
            </MenuItem>
          </MenuSection>
          <MenuSection title={t("language")} value={language} onChange={(value) => change({ language: value })}>
            <MenuItem id="en">
              <span lang="en">English</span>
            </MenuItem>
            <MenuItem id="ar">
              <span lang="ar">العربية</span>
            </MenuItem>
          </MenuSection>
          <MenuSection title={t("theme")} value={preferences.theme} onChange={(theme) => change({ theme })}>
            <MenuItem id="system">{t("theme-system")}</MenuItem>
            <MenuItem id="light">{t("theme-light")}</MenuItem>
            <MenuItem id="dark">{t("theme-dark")}</MenuItem>
            <MenuItem id="highContrast">{t("theme-highContrast")}</MenuItem>
          </MenuSection>
          {language === "ar" && (
            <MenuSection title={t("digits")} value={preferences.digits} onChange={(digits) => change({ digits })}>
              <MenuItem id="latin">
                <bdi dir="ltr">{t("digits-latin")}</bdi>
              </MenuItem>
              <MenuItem id="arabic">{t("digits-arabic")}</MenuItem>
            </MenuSection>
          )}
          <MenuSeparator />
          <MenuItem id="import" shortcut="importFile" icon={<FileInput size={14} aria-hidden="true" />} onAction={choose}>
            {t("import-file")}
          </MenuItem>
          <MenuItem
            id="settings"
            shortcut="settings"
            icon={<Settings size={14} aria-hidden="true" />}
            onAction={() => navigate({ name: "settings" })}
          >
            {t("settings-open")}
          </MenuItem>
          <MenuItem id="help" icon={<LifeBuoy size={14} aria-hidden="true" />} onAction={() => setHelp(true)}>
            {t("help-connection")}
          </MenuItem>
          <MenuItem
            id="palette"
            shortcut="palette"
            icon={<SquareTerminal size={14} aria-hidden="true" />}
            onAction={() => runCommand("palette")}
          >
            {t("all-commands")}
          </MenuItem>
          <MenuItem id="sign-out" icon={<LogOut size={14} aria-hidden="true" className="mirror-in-rtl" />} onAction={signOut}>
            {t("sign-out")}
          </MenuItem>
          <MenuItem id="quit" shortcut="quit" icon={<Power size={14} aria-hidden="true" />} onAction={() => runCommand("quit")}>
            {t("key-quit")}
          </MenuItem>
        </MenuPopover>
      </MenuTrigger>
      <AccountsDialog isOpen={accounts} onClose={() => setAccounts(false)} />
      <SupportDialog environment={session.environment} isOpen={help} onClose={() => setHelp(false)} />
    </>
  );
}
