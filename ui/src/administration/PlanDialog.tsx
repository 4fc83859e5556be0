/** The form of a plan: names, limits and entitlements. */

import type { ReactNode } from "react";
import { Checkbox } from "../components/Checkbox";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { CommandError, InvoiceKind, PlanDefinition, PlanEntitlements, PlanFields } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { FormDialog } from "./FormDialog";
import type { FormPart } from "./formMerge";
import { KindChoices } from "./KindChoices";
import { focusWrongLimit, LimitFields } from "./LimitFields";
import { type LimitTexts, limitNames, limitTexts, readLimits } from "./limitTexts";
import { useAdministration } from "./useAdministration";
import { useMergedForm } from "./useMergedForm";

const NO_LIMITS = { documents: null, requests: null, users: null };
const NO_RESTRICTIONS: PlanEntitlements = { kinds: null, languages: null, authorities: null, apiAccess: null };
const KINDS: InvoiceKind[] = ["invoice", "creditNote", "debitNote"];
const LANGUAGES = ["ar", "en"] as const;

interface PlanForm {
  name: string;
  nameAr: string;
  limits: LimitTexts;
  entitlements: PlanEntitlements;
  /** As they are typed: a text that is made of the names anew has a comma that cannot be deleted. */
  authorities: string;
}

function formOf(plan: PlanDefinition | null): PlanForm {
  return {
    name: plan?.fields.name ?? "",
    nameAr: plan?.fields.nameAr ?? "",
    limits: limitTexts(plan?.fields.limits ?? NO_LIMITS),
    entitlements: plan?.fields.entitlements ?? NO_RESTRICTIONS,
    authorities: plan?.fields.entitlements.authorities?.join(", ") ?? "",
  };
}

function partsOf({ t, format }: Localizer): FormPart<PlanForm>[] {
  const limits = limitNames.map(
    (name): FormPart<PlanForm> => ({
      label: t(`limit-${name}`),
      words: (form) => form.limits[name] || t("plan-unlimited"),
      take: (form, from) => ({ ...form, limits: { ...form.limits, [name]: from.limits[name] } }),
    }),
  );
  // Without a restriction it is all.
  const listed = (words: readonly string[] | null | undefined) => (words ? format.list(words) : t("audit-value-all"));
  return [
    { label: t("plan-name"), words: ({ name }) => name, take: (form, { name }) => ({ ...form, name }) },
    { label: t("plan-name-ar"), words: ({ nameAr }) => nameAr, take: (form, { nameAr }) => ({ ...form, nameAr }) },
    ...limits,
    {
      label: t("plan-kinds"),
      words: ({ entitlements }) => listed(entitlements.kinds?.map((kind) => t(`kind-${kind}`))),
      take: (form, { entitlements: { kinds } }) => withEntitlements(form, { kinds }),
    },
    {
      label: t("plan-languages"),
      words: ({ entitlements: { languages } }) =>
        listed(languages && LANGUAGES.filter((one) => languages.includes(one)).map((one) => t(`plan-language-${one}`))),
      take: (form, { entitlements: { languages } }) => withEntitlements(form, { languages }),
    },
    {
      label: t("plan-authorities"),
      words: ({ entitlements, authorities }) => listed(entitlements.authorities ? [authorities] : undefined),
      take: (form, { entitlements, authorities }) => ({
        ...withEntitlements(form, { authorities: entitlements.authorities }),
        authorities,
      }),
    },
    {
      label: t("plan-api-access"),
      words: ({ entitlements }) => t(entitlements.apiAccess === false ? "audit-value-no" : "audit-value-yes"),
      take: (form, { entitlements: { apiAccess } }) => withEntitlements(form, { apiAccess }),
    },
  ];
}

function withEntitlements(form: PlanForm, changed: Partial<PlanEntitlements>): PlanForm {
  return { ...form, entitlements: { ...form.entitlements, ...changed } };
}

export function PlanDialog({ plan: read, onClose }: { plan: PlanDefinition | null; onClose: () => void }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const write = useAdministration("plans");
  const { base: plan, form, setForm, isTyped, conflict, merge } = useMergedForm(read, formOf, partsOf(localizer));
  const { entitlements } = form;
  const entitle = (changed: Partial<PlanEntitlements>) => setForm(withEntitlements(form, changed));
  const readTheirs = async ({ kind }: CommandError) => {
    if (kind !== "aborted") return false;
    const plans = await withBinding(organization.id, commands.listPlans);
    const theirs = plans.find(({ id }) => id === plan?.id);
    if (theirs) merge(theirs);
    return theirs !== undefined;
  };
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
    const saved = await write.run(
      (binding) => (plan ? commands.updatePlan(binding, plan, fields) : commands.createPlan(binding, fields)),
      readTheirs,
    );
    if (saved && write.isShown.current) onClose();
  };
  return (
    <FormDialog
      title={plan ? t("plan-edit-title", { name: plan.fields.name }) : t("plan-new-title")}
      submit={t(plan ? "tenant-save" : "plans-add")}
      typed={isTyped}
      busy={write.busy}
      error={write.error}
      conflict={conflict}
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
