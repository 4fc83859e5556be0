/** The form of a tenant: a new one, or what an operator can change of one. */

import { useState } from "react";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AddressFields, CreatedTenant, TenantFields, TenantView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { FormDialog } from "./FormDialog";
import { useAdministration } from "./useAdministration";

const EMPTY: TenantFields = {
  name: "",
  nameAr: "",
  timeZone: "Asia/Riyadh",
  taxId: "",
  address: { building: "", street: "", district: "", city: "", postalCode: "" },
};

const ADDRESS = [
  ["building", "tenant-building"],
  ["street", "tenant-street"],
  ["district", "tenant-district"],
  ["city", "tenant-city"],
  ["postalCode", "tenant-postal-code"],
] as const satisfies readonly (readonly [keyof AddressFields, string])[];

export function TenantDialog({
  tenant,
  onCreated,
  onClose,
}: {
  /** `null`: a new one. */
  tenant: TenantView | null;
  onCreated: (created: CreatedTenant) => void;
  onClose: () => void;
}) {
  const { t } = useLocalizer();
  const write = useAdministration("tenants");
  const [initial] = useState({
    fields: tenant?.fields ?? EMPTY,
    domain: tenant?.domain ?? "",
    currency: tenant?.currency ?? "SAR",
    country: tenant?.country ?? "SA",
  });
  const [form, setForm] = useState(initial);
  const { fields } = form;
  const change = (changed: Partial<TenantFields>) => setForm({ ...form, fields: { ...fields, ...changed } });
  const save = async () => {
    if (tenant) {
      if (await write.run((binding) => commands.updateTenant(binding, tenant, fields))) onClose();
    } else {
      const created = await write.run((binding) => commands.createTenant(binding, form));
      if (created) onCreated(created);
    }
  };
  return (
    <FormDialog
      title={tenant ? t("tenant-edit-title", { name: tenant.fields.name }) : t("tenant-new-title")}
      submit={t(tenant ? "tenant-save" : "tenants-add")}
      typed={JSON.stringify(form) !== JSON.stringify(initial)}
      busy={write.busy}
      error={write.error}
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
        {ADDRESS.map(([part, label]) => (
          <TextField
            key={part}
            label={t(label)}
            isRequired={part === "street" || part === "city"}
            value={fields.address[part]}
            onChange={(text) => change({ address: { ...fields.address, [part]: text } })}
          />
        ))}
      </div>
    </FormDialog>
  );
}
