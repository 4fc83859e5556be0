/** The status bar: connection, age of what is shown, what waits, the role, the organization's id. */

import { KeyRound } from "lucide-react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { NumericText } from "../components/BidiText";
import { useCountdown } from "../components/useCountdown";
import { RetryNotice } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useListUpdatedAt } from "../invoices/invoiceSummary";
import type { Wait } from "../ipc/bindings";
import { roleName } from "../organizations/roles";
import { useSignIn } from "../session/useSignIn";
import { useWorkspace } from "../state/workspace";

export function StatusBar() {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { session, organization, waits: all } = useWorkspace();
  // What was only being read of another organization concerns nobody here; what is being written there still does.
  const waits = all.filter((wait) => wait.write || wait.organization === organization.id);
  const age = useListUpdatedAt();
  const online = session.standing.state === "online";
  return (
    <footer className="figures flex h-[26px] shrink-0 items-center gap-4 overflow-hidden border-line border-t bg-sunken px-3 text-2xs text-ink-2">
      <span role="status" className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className={`size-2 rounded-full ${online ? "bg-good" : "border-2 border-warn"}`} />
        {t(`standing-${session.standing.state}`)}
      </span>
      {age && <span className="max-narrow:hidden">{t("updated-at", { time: format.clock(age) })}</span>}
      {waits.length > 0 && <PendingRetries waits={waits} />}
      {session.vault && <VaultBadge />}
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

function VaultBadge() {
  const { t } = useLocalizer();
  const signIn = useSignIn();
  return (
    <AriaButton onPress={signIn.unlock} className="inline-flex items-center gap-1 rounded-sm text-warn data-[hovered]:underline">
      <KeyRound size={12} aria-hidden="true" />
      {t("vault-badge")}
    </AriaButton>
  );
}

function PendingRetries({ waits }: { waits: readonly Wait[] }) {
  const { t, format } = useLocalizer();
  const next = waits.toSorted((a, b) => a.until.localeCompare(b.until))[0];
  const seconds = useCountdown(next?.until ?? "");
  const writes = waits.filter(({ write }) => write).length;
  const time = format.countdown(seconds);
  return (
    <DialogTrigger>
      <AriaButton
        data-waits=""
        className="inline-flex items-center gap-1 rounded-sm font-semibold text-warn data-[hovered]:underline"
      >
        {writes > 0 ? t("writes-waiting", { count: writes, time }) : t("reads-waiting", { count: waits.length, time })}
      </AriaButton>
      <Popover placement="top start" className="appear w-100 max-w-[90vw] rounded-md border border-line-strong bg-surface">
        <Dialog aria-label={t("waits-title")} className="flex flex-col outline-none">
          <p className="border-line border-b px-3 py-2 font-semibold">{t("waits-title")}</p>
          <ul className="max-h-80 overflow-y-auto">
            {waits.map((wait) => (
              <li key={wait.id} className="border-line border-b px-3 py-2 last:border-b-0">
                <RetryNotice wait={wait} variant="inline" />
              </li>
            ))}
          </ul>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
