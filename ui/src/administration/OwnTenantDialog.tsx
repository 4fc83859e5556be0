/** The form of what an administrator can change of the details of the own organization. */

import { useMemo } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, OwnTenantFields, TenantView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { FormDialog } from "./FormDialog";
import { refusedFieldTexts } from "./refusals";
import { SellerFields } from "./SellerFields";
import { detailParts, numberOfForm, numberToSend } from "./sellerDetails";
import { useAdministration } from "./useAdministration";
import { useMergedForm } from "./useMergedForm";

function formOf({ fields: { registrationNumber, address } }: TenantView): OwnTenantFields {
  return { registrationNumber: numberOfForm(registrationNumber), address };
}

const detailsOf = (form: OwnTenantFields) => form;

function withDetails(form: OwnTenantFields, changed: Partial<OwnTenantFields>): OwnTenantFields {
  return { ...form, ...changed };
}

export function OwnTenantDialog({ tenant: read, onClose }: { tenant: TenantView; onClose: () => void }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const write = useAdministration("tenants");
  const parts = detailParts(localizer, detailsOf, withDetails);
  const { base: tenant, form, setForm, isTyped, conflict, merge } = useMergedForm(read, formOf, parts);
  const fieldTexts = useMemo(() => refusedFieldTexts(write.error, localizer), [write.error, localizer]);
  const readTheirs = async ({ kind }: CommandError) => {
    if (kind !== "aborted") return false;
    merge(await withBinding(organization.id, commands.getOwnTenant));
    return true;
  };
  const save = async () => {
    const fields = { ...form, registrationNumber: numberToSend(form.registrationNumber, tenant.country) };
    const saved = await write.run((binding) => commands.updateOwnTenant(binding, tenant, fields), readTheirs);
    if (saved && write.isShown.current) onClose();
  };
  return (
    <FormDialog
      title={t("own-tenant-edit-title")}
      submit={t("tenant-save")}
      typed={isTyped}
      busy={write.busy}
      error={write.error}
      fieldTexts={fieldTexts}
      conflict={conflict}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
        <SellerFields
          details={form}
          stored={tenant.fields}
          country={tenant.country}
          onChange={(changed) => setForm(withDetails(form, changed))}
          autoFocus
        />
      </div>
    </FormDialog>
  );
}
