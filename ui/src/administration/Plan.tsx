/** The plan of the organization, and how much of it is used. */

import { useQuery } from "@tanstack/react-query";
import { LoadingText } from "../components/LoadingText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { PlanUses } from "./PlanUses";

export function Plan() {
  const { t, format, language } = useLocalizer();
  const { organization } = useWorkspace();
  const plan = useQuery({
    queryKey: [organization.id, "plan"],
    queryFn: () => withBinding(organization.id, (binding) => commands.getOwnPlan(binding)),
    staleTime: 0,
  });
  if (plan.error) return <AdministrationError error={commandError(plan.error)} onRetry={() => void plan.refetch()} />;
  if (!plan.data) return <LoadingText />;
  const { documents, requests, users, monthEnd, apiAccess } = plan.data;
  const name = language === "ar" ? plan.data.nameAr : plan.data.name;
  return (
    <div className="flex max-w-140 flex-col gap-5">
      <p className="font-semibold text-md">{name === "" ? t("plan-none") : name}</p>
      <PlanUses
        documents={documents}
        users={users}
        requests={requests}
        documentsHint={monthEnd ? t("plan-month-end", { date: format.dateTime(monthEnd) }) : ""}
      />
      <p className="text-fg-2">{t(apiAccess ? "plan-api" : "plan-no-api")}</p>
    </div>
  );
}
