/** Acts as a person of a tenant, whom the operator names by the id: operators see no people of tenants. */

import { useState } from "react";
import { TextField } from "../components/Field";
import { withLatinDigits } from "../i18n/digits";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { commands } from "../ipc/call";
import { FormDialog } from "./FormDialog";
import { useAdministration } from "./useAdministration";

export function ImpersonateTenantDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t } = useLocalizer();
  const write = useAdministration("tenants");
  const [user, setUser] = useState("");
  // The window is that person's when it has succeeded.
  const impersonate = () => write.run((binding) => commands.impersonate(binding, id, withLatinDigits(user.trim())));
  return (
    <FormDialog
      title={t("impersonate-tenant-title", { name })}
      submit={t("impersonate")}
      typed={user !== ""}
      busy={write.busy}
      error={write.error}
      onSubmit={() => void impersonate()}
      onClose={onClose}
    >
      <TextField
        label={t("impersonate-user-id")}
        hint={t("impersonate-user-id-hint")}
        value={user}
        onChange={setUser}
        isRequired
        autoFocus
        numeric
      />
      <p className="text-fg-2 text-xs">{t("impersonate-hint", { name })}</p>
    </FormDialog>
  );
}
