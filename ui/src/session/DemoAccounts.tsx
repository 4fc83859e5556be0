/** Accounts of the practice environment with their passwords, which the browser asks for. */

import { CopyIconButton } from "../components/CopyButton";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { DemoAccount } from "../ipc/bindings";

export function DemoAccounts({ accounts }: { accounts: DemoAccount[] }) {
  const { t } = useLocalizer();
  return (
    <section aria-labelledby="demo-accounts" className="rounded-md border border-line px-3 py-2">
      <h2 id="demo-accounts" className="pb-1 font-semibold">
        {t("demo-accounts")}
      </h2>
      <ul>
        {accounts.map((account) => (
          <li key={account.username} className="flex flex-col gap-0.5 border-line border-t py-2 first:border-t-0">
            <div className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate" data-selectable="">
                <bdi dir="ltr">{account.username}</bdi>
              </span>
              <span className="text-fg-3 text-xs">{t("demo-organizations", { count: account.organizations })}</span>
              <CopyIconButton text={account.username} label={t("copy-username", { username: account.username })} />
            </div>
            <div className="flex items-center gap-2">
              <span className="text-fg-2 text-xs">{t("demo-password")}</span>
              <span className="min-w-0 flex-1 truncate font-mono" data-selectable="">
                <bdi dir="ltr" data-password={account.username}>
                  {account.password}
                </bdi>
              </span>
              <CopyIconButton text={account.password} label={t("copy-password", { username: account.username })} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
