/** How much of the limits of a plan is used. */

import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PlanUse } from "../ipc/bindings";

export function PlanUses({
  documents,
  users,
  requests,
  documentsHint = "",
}: {
  documents: PlanUse;
  users: PlanUse;
  requests: PlanUse;
  /** Below the documents. */
  documentsHint?: string;
}) {
  const { t } = useLocalizer();
  return (
    <div className="flex flex-col gap-5">
      <Use label={t("plan-documents")} use={documents} hint={documentsHint} />
      <Use label={t("plan-users")} use={users} hint="" />
      <Use label={t("plan-requests")} use={requests} hint="" />
    </div>
  );
}

function Use({ label, use, hint }: { label: string; use: PlanUse; hint: string }) {
  const { t, format } = useLocalizer();
  const { used, limit } = use;
  const text = limit === null ? format.integer(used) : `${format.integer(used)} / ${format.integer(limit)}`;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <span>{label}</span>
        <span>
          <NumericText className="font-semibold">{text}</NumericText>
          {limit === null && <span className="ps-2 text-fg-2 text-xs">{t("plan-unlimited")}</span>}
        </span>
      </div>
      {limit !== null && (
        <progress aria-label={label} className="plan-use" max={Math.max(limit, 1)} value={Math.min(used, limit)} />
      )}
      {hint !== "" && <p className="text-fg-2 text-xs">{hint}</p>}
    </div>
  );
}
