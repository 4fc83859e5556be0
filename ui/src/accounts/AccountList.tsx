/** The accounts of this computer, each with a button that switches to it and one that removes it. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { NameText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AccountView } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { accountsQuery } from "./accountQueries";
import { RemoveAccount } from "./RemoveAccount";

export function AccountList({
  beforeSwitch,
  onSwitched,
  signedOut = false,
}: {
  /** Saves what is being typed. */
  beforeSwitch?: () => Promise<unknown>;
  onSwitched?: () => void;
  signedOut?: boolean;
}) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const accounts = useQuery(accountsQuery);
  const { run, busy, error } = useCommandCalls();
  const refresh = () => void client.invalidateQueries(accountsQuery);
  const switchTo = (account: AccountView) =>
    run(async () => {
      await beforeSwitch?.();
      await call(commands.switchAccount(account.id));
      refresh();
      onSwitched?.();
    });
  if (accounts.error) {
    const handlers = { tryAgain: () => void accounts.refetch() };
    return <ErrorNotice error={commandError(accounts.error)} variant="card" handlers={handlers} />;
  }
  if (!accounts.data || accounts.data.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {error && <ErrorNotice error={error} variant="card" />}
      <ul aria-label={t("accounts-known")} className="rounded-md border border-line-strong bg-surface">
        {accounts.data.map((account) => (
          <li key={account.id} className="flex items-center gap-3 border-line border-b px-3 py-2 last:border-b-0">
            <AccountText account={account} />
            {account.active ? (
              <span className="text-fg-2 text-xs">{t("account-active")}</span>
            ) : (
              <Button size="sm" isBusy={busy} onPress={() => void switchTo(account)}>
                {t(signedOut ? "account-continue" : "account-switch", { name: account.name })}
              </Button>
            )}
            <RemoveAccount account={account} onRemoved={refresh} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function AccountText({ account }: { account: AccountView }) {
  const { t, format } = useLocalizer();
  const environment = account.environment === "local" ? t("environment-local") : account.environment;
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-semibold">
        <NameText>{account.name}</NameText>
      </span>
      <span className="block truncate text-fg-2 text-xs">
        <bdi dir="ltr">{account.username}</bdi>
      </span>
      <span className="block text-fg-3 text-xs">
        {t("account-used", { environment, age: format.age(account.lastUsed, new Date()) })}
        {!account.remembered && (
          <>
            <Separator />
            {t("account-not-remembered")}
          </>
        )}
      </span>
    </span>
  );
}
