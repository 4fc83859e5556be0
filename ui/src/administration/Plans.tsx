/** The plans that tenants can have, for an operator. */

import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { NameText } from "../components/BidiText";
import { Button, IconButton } from "../components/Button";
import { LoadingText } from "../components/LoadingText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PlanDefinition } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { planName, plansQuery } from "./administrationQueries";
import { ConfirmChange } from "./ConfirmChange";
import { limitNames } from "./limitTexts";
import { PlanDialog } from "./PlanDialog";

const SUBJECT = "plans";

export function Plans() {
  const { t, format, language } = useLocalizer();
  const { organization } = useWorkspace();
  const [editing, setEditing] = useState<PlanDefinition | "new" | null>(null);
  const [asked, setAsked] = useState<PlanDefinition | null>(null);
  const plans = useQuery({
    ...plansQuery(organization.id),
    staleTime: 0,
  });
  // As it is now: a plan that somebody else has changed is asked about again, and can be deleted.
  const deleting = asked && (plans.data?.find(({ id }) => id === asked.id) ?? asked);
  const nameOf = (plan: PlanDefinition) => planName(plan, { language });
  return (
    <>
      <div className="flex justify-end">
        <Button variant="primary" onPress={() => setEditing("new")} icon={<Plus size={15} aria-hidden="true" />}>
          {t("plans-add")}
        </Button>
      </div>
      {plans.error && <AdministrationError error={commandError(plans.error)} onRetry={() => void plans.refetch()} />}
      {plans.isPending && <LoadingText />}
      {plans.data && (
        <ul aria-label={t("administration-plans")} className="rounded-md border border-line-strong bg-surface">
          {plans.data.length === 0 && <li className="px-3 py-4 text-fg-2">{t("plans-none")}</li>}
          {plans.data.map((plan) => (
            <li
              key={plan.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-2 last:border-b-0"
            >
              <span className="min-w-44 flex-1">
                <span className="block font-semibold">
                  <NameText>{nameOf(plan)}</NameText>
                </span>
                <span className="flex flex-wrap gap-x-3 text-fg-2 text-xs">
                  {limitNames.map((name) => {
                    const limit = plan.fields.limits[name];
                    return (
                      <span key={name}>
                        {t(`limit-${name}`)}: {limit === null ? t("plan-unlimited") : format.integer(limit)}
                      </span>
                    );
                  })}
                </span>
              </span>
              <IconButton
                label={t("plans-edit-of", { name: nameOf(plan) })}
                icon={<Pencil size={15} aria-hidden="true" />}
                onPress={() => setEditing(plan)}
              />
              <IconButton
                label={t("plans-delete-of", { name: nameOf(plan) })}
                icon={<Trash2 size={15} aria-hidden="true" />}
                onPress={() => setAsked(plan)}
              />
            </li>
          ))}
        </ul>
      )}
      {editing && <PlanDialog plan={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && (
        <ConfirmChange
          title={t("plan-delete-title", { name: nameOf(deleting) })}
          hint={t("plan-delete-hint")}
          confirm={t("plan-delete")}
          subject={SUBJECT}
          change={(run) => run((binding) => commands.deletePlan(binding, deleting.id, deleting.stamp))}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
