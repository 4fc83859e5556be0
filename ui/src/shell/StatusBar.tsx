/** Status bar: connectivity, age of the list, pending retries, roles, organization id. */

import { KeyRound } from "lucide-react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { NumericText } from "../components/BidiText";
import { useCountdown } from "../components/useCountdown";
import { RetryNotice } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useListUpdatedAt } from "../invoices/invoiceSummary";
import type { PendingRetry, VaultProblem } from "../ipc/bindings";
import { roleName } from "../organizations/roles";
import { useSignIn } from "../session/useSignIn";
import { useWorkspace } from "../state/workspace";

export function StatusBar() {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { session, organization, retries: all } = useWorkspace();
  // Reads of another organization are left out; its writes are shown.
  const retries = all.filter((retry) => retry.write || retry.organization === organization.id);
  const age = useListUpdatedAt();
  const online = session.connectivity.state === "online";
  return (
    <footer className="numeric flex h-[26px] shrink-0 items-center gap-4 overflow-hidden border-line border-t bg-sunken px-3 text-2xs text-fg-2">
      <span role="status" className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className={`size-2 rounded-full ${online ? "bg-success" : "border-2 border-warning"}`} />
        {t(`connectivity-${session.connectivity.state}`)}
      </span>
      {age && <span className="max-narrow:hidden">{t("updated-at", { time: format.time(age) })}</span>}
      {retries.length > 0 && <PendingRetries retries={retries} />}
      {session.vault && <VaultBadge problem={session.vault} />}
      {session.ends !== null && <span>{t("session-ends-badge", { time: format.time(session.ends) })}</span>}
      <span className="flex-1" />
      <span className="truncate max-narrow:hidden">
        {format.list(organization.roles.map((role) => roleName(role, localizer)))}
      </span>
      <span className="max-narrow:hidden">
        {t("org-id")} <NumericText>{organization.id}</NumericText>
      </span>
    </footer>
  );
}

function VaultBadge({ problem }: { problem: VaultProblem }) {
  const { t } = useLocalizer();
  const signIn = useSignIn();
  return (
    <AriaButton
      onPress={signIn.unlock}
      className="inline-flex items-center gap-1 rounded-sm text-warning data-[hovered]:underline"
    >
      <KeyRound size={12} aria-hidden="true" />
      {t(problem === "waiting" ? "vault-badge-waiting" : "vault-badge")}
    </AriaButton>
  );
}

function PendingRetries({ retries }: { retries: readonly PendingRetry[] }) {
  const { t, format } = useLocalizer();
  const next = retries.toSorted((a, b) => a.until.localeCompare(b.until))[0];
  const seconds = useCountdown(next?.until ?? "");
  const writes = retries.filter(({ write }) => write).length;
  const time = format.countdown(seconds);
  return (
    <DialogTrigger>
      <AriaButton
        data-waits=""
        className="inline-flex items-center gap-1 rounded-sm font-semibold text-warning data-[hovered]:underline"
      >
        {writes > 0 ? t("writes-waiting", { count: writes, time }) : t("reads-waiting", { count: retries.length, time })}
      </AriaButton>
      <Popover placement="top start" className="fade-in w-100 max-w-[90vw] rounded-md border border-line-strong bg-surface">
        <Dialog aria-label={t("pending-retries")} className="flex flex-col outline-none">
          <p className="border-line border-b px-3 py-2 font-semibold">{t("pending-retries")}</p>
          <ul className="max-h-80 overflow-y-auto">
            {retries.map((retry) => (
              <li key={retry.id} className="border-line border-b px-3 py-2 last:border-b-0">
                <RetryNotice retry={retry} variant="inline" />
              </li>
            ))}
          </ul>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
