/** The form of a tenant: a new one, or what an operator can change of one. */

import { useMemo } from "react";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { CommandError, CreatedTenant, NewTenant, TenantFields, TenantView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { FormDialog } from "./FormDialog";
import type { FormPart } from "./formMerge";
import { refusedFieldTexts } from "./refusals";
import { SellerFields } from "./SellerFields";
import { detailParts, NO_DETAILS, numberOfForm, numberToSend } from "./sellerDetails";
import { useAdministration } from "./useAdministration";
import { useMergedForm } from "./useMergedForm";

const EMPTY: TenantFields = { name: "", nameAr: "", timeZone: "Asia/Riyadh", taxId: "", ...NO_DETAILS };

const TEXTS = [
  ["name", "tenant-name"],
  ["nameAr", "tenant-name-ar"],
  ["timeZone", "tenant-time-zone"],
  ["taxId", "tenant-tax-id"],
] as const satisfies readonly (readonly [keyof TenantFields, string])[];

function formOf(tenant: TenantView | null): NewTenant {
  const fields = tenant?.fields ?? EMPTY;
  return {
    fields: { ...fields, registrationNumber: numberOfForm(fields.registrationNumber) },
    domain: tenant?.domain ?? "",
    currency: tenant?.currency ?? "SAR",
    country: tenant?.country ?? "SA",
  };
}

/** Of the fields that can be changed. */
function partsOf(localizer: Localizer): FormPart<NewTenant>[] {
  const { t } = localizer;
  const texts = TEXTS.map(
    ([name, label]): FormPart<NewTenant> => ({
      label: t(label),
      words: ({ fields }) => fields[name],
      take: (form, { fields }) => ({ ...form, fields: { ...form.fields, [name]: fields[name] } }),
    }),
  );
  return [...texts, ...detailParts<NewTenant>(localizer, ({ fields }) => fields, withFields)];
}

function withFields(form: NewTenant, changed: Partial<TenantFields>): NewTenant {
  return { ...form, fields: { ...form.fields, ...changed } };
}

export function TenantDialog({
  tenant: read,
  onCreated,
  onClose,
}: {
  /** `null`: a new one. */
  tenant: TenantView | null;
  onCreated: (created: CreatedTenant) => void;
  onClose: () => void;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const write = useAdministration("tenants");
  const { base: tenant, form, setForm, isTyped, conflict, merge } = useMergedForm(read, formOf, partsOf(localizer));
  const { fields } = form;
  const change = (changed: Partial<TenantFields>) => setForm(withFields(form, changed));
  const fieldTexts = useMemo(() => refusedFieldTexts(write.error, localizer), [write.error, localizer]);
  const save = async () => {
    const sent = withFields(form, { registrationNumber: numberToSend(fields.registrationNumber, form.country) });
    if (tenant) {
      const readTheirs = async ({ kind }: CommandError) => {
        if (kind !== "aborted") return false;
        const found = await withBinding(organization.id, (binding) => commands.listTenants(binding, tenant.id, null, ""));
        const theirs = found.tenants.find(({ id }) => id === tenant.id);
        if (theirs) merge(theirs);
        return theirs !== undefined;
      };
      const saved = await write.run((binding) => commands.updateTenant(binding, tenant, sent.fields), readTheirs);
      if (saved && write.isShown.current) onClose();
    } else {
      const created = await write.run((binding) => commands.createTenant(binding, sent));
      if (created) onCreated(created);
    }
  };
  return (
    <FormDialog
      title={tenant ? t("tenant-edit-title", { name: tenant.fields.name }) : t("tenant-new-title")}
      submit={t(tenant ? "tenant-save" : "tenants-add")}
      typed={isTyped}
      busy={write.busy}
      error={write.error}
      fieldTexts={fieldTexts}
      conflict={conflict}
      makesSecret={tenant === null}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
        <TextField label={t("tenant-name")} value={fields.name} onChange={(name) => change({ name })} isRequired autoFocus />
        <TextField label={t("tenant-name-ar")} value={fields.nameAr} onChange={(nameAr) => change({ nameAr })} dir="rtl" />
        {!tenant && (
          <>
            <TextField
              label={t("tenant-domain")}
              value={form.domain}
              onChange={(domain) => setForm({ ...form, domain: domain.trim().toLowerCase() })}
              isRequired
              dir="ltr"
            />
            <TextField
              label={t("tenant-country")}
              value={form.country}
              onChange={(country) => setForm({ ...form, country: country.trim().toUpperCase() })}
              isRequired
              dir="ltr"
            />
            <TextField
              label={t("tenant-currency")}
              value={form.currency}
              onChange={(currency) => setForm({ ...form, currency: currency.trim().toUpperCase() })}
              isRequired
              dir="ltr"
            />
          </>
        )}
        <TextField
          label={t("tenant-time-zone")}
          value={fields.timeZone}
          onChange={(timeZone) => change({ timeZone: timeZone.trim() })}
          isRequired
          dir="ltr"
        />
        <TextField label={t("tenant-tax-id")} value={fields.taxId} onChange={(taxId) => change({ taxId })} isRequired numeric />
        <SellerFields details={fields} stored={tenant?.fields} country={form.country} onChange={change} />
      </div>
    </FormDialog>
  );
}
