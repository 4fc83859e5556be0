/** The plan of the organization, and how much of it is used. */

import { useQuery } from "@tanstack/react-query";
import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PlanUse } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";

export function Plan() {
  const { t, format, language } = useLocalizer();
  const { organization } = useWorkspace();
  const plan = useQuery({
    queryKey: [organization.id, "plan"],
    queryFn: () => withBinding(organization.id, (binding) => commands.getOwnPlan(binding)),
    staleTime: 0,
  });
  if (plan.error) return <AdministrationError error={commandError(plan.error)} onRetry={() => void plan.refetch()} />;
  if (!plan.data) return null;
  const { documents, requests, users, monthEnd, apiAccess } = plan.data;
  const name = language === "ar" ? plan.data.nameAr : plan.data.name;
  return (
    <div className="flex max-w-140 flex-col gap-5">
      <p className="font-semibold text-md">{name === "" ? t("plan-none") : name}</p>
      <Use
        label={t("plan-documents")}
        use={documents}
        hint={monthEnd ? t("plan-month-end", { date: format.dateTime(monthEnd) }) : ""}
      />
      <Use label={t("plan-users")} use={users} hint="" />
      <Use label={t("plan-requests")} use={requests} hint="" />
      <p className="text-fg-2">{t(apiAccess ? "plan-api" : "plan-no-api")}</p>
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
