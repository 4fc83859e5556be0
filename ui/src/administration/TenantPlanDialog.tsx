/** The plan of a tenant, what it uses of it, and limits of its own. */

import { useState } from "react";
import { Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PlanDefinition, TenantPlanView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useOpeningQuery } from "../queries/useOpeningQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { planName } from "./administrationQueries";
import { FormDialog } from "./FormDialog";
import { focusWrongLimit, LimitFields } from "./LimitFields";
import { limitTexts, readLimits } from "./limitTexts";
import { OpeningErrorDialog } from "./OpeningErrorDialog";
import { PlanUses } from "./PlanUses";
import { useAdministration } from "./useAdministration";

/** Names no plan. */
const NONE = "none";

export function TenantPlanDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const read = useOpeningQuery([organization.id, "tenants", "plan", id], async () => {
    const [plan, plans] = await Promise.all([
      withBinding(organization.id, (binding) => commands.tenantPlan(binding, id)),
      withBinding(organization.id, commands.listPlans),
    ]);
    return { plan, plans };
  });
  if (read.data) return <PlanForm id={id} name={name} {...read.data} onClose={onClose} />;
  return (
    read.error && (
      <OpeningErrorDialog
        title={t("tenant-plan-title", { name })}
        error={commandError(read.error)}
        onRetry={() => void read.refetch()}
        onClose={onClose}
      />
    )
  );
}

function PlanForm({
  id,
  name,
  plan,
  plans,
  onClose,
}: {
  id: string;
  name: string;
  plan: TenantPlanView;
  plans: readonly PlanDefinition[];
  onClose: () => void;
}) {
  const { t, language } = useLocalizer();
  const write = useAdministration("tenants");
  const [before, setBefore] = useState({ plan: plan.plan?.id ?? NONE, limits: limitTexts(plan.ownLimits) });
  const [chosen, setChosen] = useState(before.plan);
  const [limits, setLimits] = useState(before.limits);
  const [isPlanSaved, setPlanSaved] = useState(false);
  const limitsChanged = JSON.stringify(limits) !== JSON.stringify(before.limits);
  const save = async () => {
    const own = readLimits(limits);
    if (!own) {
      focusWrongLimit();
      return;
    }
    setPlanSaved(false);
    if (chosen !== before.plan) {
      const assigned = await write.run((binding) => commands.assignPlan(binding, id, chosen === NONE ? "" : chosen));
      if (!assigned) return;
      // The limits can still be refused. When they are saved again, the plan is as it was chosen.
      setBefore({ ...before, plan: chosen });
      setPlanSaved(true);
    }
    if (limitsChanged && (await write.run((binding) => commands.setTenantLimits(binding, id, own))) === undefined) return;
    if (write.isShown.current) onClose();
  };
  return (
    <FormDialog
      title={t("tenant-plan-title", { name })}
      submit={t("tenant-save")}
      typed={chosen !== before.plan || limitsChanged}
      busy={write.busy}
      error={write.error}
      partly={isPlanSaved ? t("tenant-plan-partly") : null}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Select
        label={t("tenant-plan")}
        value={chosen}
        onChange={setChosen}
        choices={[
          { id: NONE, label: t("tenant-plan-none") },
          ...plans.map((each) => ({ id: each.id, label: planName(each, { language }) })),
        ]}
      />
      <PlanUses documents={plan.documents} users={plan.users} requests={plan.requests} />
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 font-semibold">{t("tenant-own-limits")}</legend>
        <LimitFields value={limits} onChange={setLimits} />
        <p className="text-fg-2 text-xs">{t("tenant-own-limits-hint")}</p>
      </fieldset>
    </FormDialog>
  );
}
