/** Status bar: connectivity, age of the list, pending retries, roles, organization id. */

import { Suspense } from "react";
import { NumericText } from "../components/BidiText";
import { lazyComponent } from "../components/lazyComponent";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useListUpdatedAt } from "../invoices/invoiceSummary";
import { roleName } from "../organizations/roles";
import { useWorkspace } from "../state/workspace";
import { timeText } from "./timeText";

const PendingRetries = lazyComponent(async () => (await import("./PendingRetries")).PendingRetries);
const VaultBadge = lazyComponent(async () => (await import("./VaultBadge")).VaultBadge);

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
      {age && <span className="max-narrow:hidden">{t("updated-at", { time: timeText(age, format) })}</span>}
      {retries.length > 0 && (
        <Suspense>
          <PendingRetries retries={retries} />
        </Suspense>
      )}
      {session.vault && (
        <Suspense>
          <VaultBadge problem={session.vault} />
        </Suspense>
      )}
      {session.ends !== null && <span>{t("session-ends-badge", { time: timeText(session.ends, format) })}</span>}
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
