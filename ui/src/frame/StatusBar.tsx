/** The status bar: connection, age of what is shown, what waits, the role, the organization's id. */

import { KeyRound } from "lucide-react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { useWorkplace } from "../app/workplace";
import { WaitNotice } from "../errors/WaitNotice";
import { useListAge } from "../invoices/useInvoiceTotal";
import type { Wait } from "../ipc/bindings";
import { roleName } from "../organizations/roles";
import { Figure } from "../parts/Figure";
import { useCountdown } from "../parts/useCountdown";
import { useSignIn } from "../session/useSignIn";
import { useWords } from "../words/WordsProvider";

export function StatusBar() {
  const words = useWords();
  const { t, format } = words;
  const { session, organization, waits: all } = useWorkplace();
  // What was only being read of another organization concerns nobody here; what is being written there still does.
  const waits = all.filter((wait) => wait.write || wait.organization === organization.id);
  const age = useListAge();
  const online = session.standing.state === "online";
  return (
    <footer className="figures flex h-[26px] shrink-0 items-center gap-4 overflow-hidden border-line border-t bg-sunken px-3 text-2xs text-ink-2">
      <span role="status" className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className={`size-2 rounded-full ${online ? "bg-good" : "border-2 border-warn"}`} />
        {t(`standing-${session.standing.state}`)}
      </span>
      {age && <span className="max-narrow:hidden">{t("updated-at", { time: format.clock(age) })}</span>}
      {waits.length > 0 && <Waits waits={waits} />}
      {session.vault && <VaultBadge />}
      <span className="flex-1" />
      <span className="truncate max-narrow:hidden">{format.list(organization.roles.map((role) => roleName(role, words)))}</span>
      <span className="max-narrow:hidden">
        {t("org-id")} <Figure>{organization.id}</Figure>
      </span>
    </footer>
  );
}

function VaultBadge() {
  const { t } = useWords();
  const signIn = useSignIn();
  return (
    <AriaButton onPress={signIn.unlock} className="inline-flex items-center gap-1 rounded-sm text-warn data-[hovered]:underline">
      <KeyRound size={12} aria-hidden="true" />
      {t("vault-badge")}
    </AriaButton>
  );
}

function Waits({ waits }: { waits: readonly Wait[] }) {
  const { t, format } = useWords();
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
                <WaitNotice wait={wait} shape="line" />
              </li>
            ))}
          </ul>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
