/** The form of a plan: names, limits and entitlements. */

import { type ReactNode, useState } from "react";
import { Checkbox } from "../components/Checkbox";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceKind, PlanDefinition, PlanEntitlements, PlanFields } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { FormDialog } from "./FormDialog";
import { KindChoices } from "./KindChoices";
import { focusWrongLimit, LimitFields } from "./LimitFields";
import { limitTexts, readLimits } from "./limitTexts";
import { useAdministration } from "./useAdministration";

const NO_LIMITS = { documents: null, requests: null, users: null };
const NO_RESTRICTIONS: PlanEntitlements = { kinds: null, languages: null, authorities: null, apiAccess: null };
const KINDS: InvoiceKind[] = ["invoice", "creditNote", "debitNote"];
const LANGUAGES = ["ar", "en"] as const;

export function PlanDialog({ plan, onClose }: { plan: PlanDefinition | null; onClose: () => void }) {
  const { t } = useLocalizer();
  const write = useAdministration("plans");
  const [initial] = useState({
    name: plan?.fields.name ?? "",
    nameAr: plan?.fields.nameAr ?? "",
    limits: limitTexts(plan?.fields.limits ?? NO_LIMITS),
    entitlements: plan?.fields.entitlements ?? NO_RESTRICTIONS,
    // As they are typed: a text that is made of the names anew has a comma that cannot be deleted.
    authorities: plan?.fields.entitlements.authorities?.join(", ") ?? "",
  });
  const [form, setForm] = useState(initial);
  const { entitlements } = form;
  const entitle = (changed: Partial<PlanEntitlements>) => setForm({ ...form, entitlements: { ...entitlements, ...changed } });
  const save = async () => {
    const limits = readLimits(form.limits);
    if (!limits) {
      focusWrongLimit();
      return;
    }
    const fields: PlanFields = {
      name: form.name,
      nameAr: form.nameAr,
      limits,
      entitlements: { ...entitlements, authorities: entitlements.authorities && namesIn(form.authorities) },
    };
    const saved = await write.run((binding) =>
      plan ? commands.updatePlan(binding, plan, fields) : commands.createPlan(binding, fields),
    );
    if (saved) onClose();
  };
  return (
    <FormDialog
      title={plan ? t("plan-edit-title", { name: plan.fields.name }) : t("plan-new-title")}
      submit={t(plan ? "tenant-save" : "plans-add")}
      typed={JSON.stringify(form) !== JSON.stringify(initial)}
      busy={write.busy}
      error={write.error}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
        <TextField
          label={t("plan-name")}
          value={form.name}
          onChange={(name) => setForm({ ...form, name })}
          isRequired
          autoFocus
        />
        <TextField label={t("plan-name-ar")} value={form.nameAr} onChange={(nameAr) => setForm({ ...form, nameAr })} dir="rtl" />
      </div>
      <div className="flex flex-col gap-1">
        <LimitFields value={form.limits} onChange={(limits) => setForm({ ...form, limits })} />
        <p className="text-fg-2 text-xs">{t("limit-hint")}</p>
      </div>
      <Restriction
        label={t("plan-kinds")}
        isRestricted={entitlements.kinds !== null}
        onChange={(restricts) => entitle({ kinds: restricts ? KINDS : null })}
      >
        <KindChoices value={entitlements.kinds ?? []} onChange={(kinds) => entitle({ kinds })} />
      </Restriction>
      <Restriction
        label={t("plan-languages")}
        isRestricted={entitlements.languages !== null}
        onChange={(restricts) => entitle({ languages: restricts ? [...LANGUAGES] : null })}
      >
        {LANGUAGES.map((language) => (
          <Checkbox
            key={language}
            isSelected={entitlements.languages?.includes(language) ?? false}
            onChange={(selected) => {
              const others = (entitlements.languages ?? []).filter((other) => other !== language);
              entitle({ languages: selected ? [...others, language] : others });
            }}
          >
            {t(`plan-language-${language}`)}
          </Checkbox>
        ))}
      </Restriction>
      <Restriction
        label={t("plan-authorities")}
        isRestricted={entitlements.authorities !== null}
        onChange={(restricts) => entitle({ authorities: restricts ? [] : null })}
      >
        <TextField
          label={t("plan-authorities")}
          hint={t("plan-authorities-hint")}
          value={form.authorities}
          onChange={(authorities) => setForm({ ...form, authorities })}
          dir="ltr"
        />
      </Restriction>
      <Checkbox
        isSelected={entitlements.apiAccess ?? true}
        onChange={(allowed) => entitle({ apiAccess: allowed ? null : false })}
      >
        {t("plan-api-access")}
      </Checkbox>
      {plan && <p className="text-fg-2 text-xs">{t("plan-edit-hint")}</p>}
    </FormDialog>
  );
}

/** The names of a text that separates them by commas, Latin or Arabic ones. */
function namesIn(text: string): string[] {
  const names = text.split(/[,،]/).map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** What a plan restricts, and to what. */
function Restriction({
  label,
  isRestricted,
  onChange,
  children,
}: {
  label: string;
  isRestricted: boolean;
  onChange: (restricts: boolean) => void;
  children: ReactNode;
}) {
  const { t } = useLocalizer();
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="text-fg-2 text-xs">{label}</legend>
      <Checkbox isSelected={isRestricted} onChange={onChange}>
        {t("plan-restricts")}
      </Checkbox>
      {isRestricted && children}
    </fieldset>
  );
}
