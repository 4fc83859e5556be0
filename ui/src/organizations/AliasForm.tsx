/** Form for the local alias of an organization, in place of the name that the service tells. */

import { type FormEvent, useState } from "react";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, OrganizationView } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export function AliasForm({ organization, onDone }: { organization: OrganizationView; onDone: () => void }) {
  const { t } = useLocalizer();
  const [alias, setAlias] = useState(organization.aliased ? organization.name : "");
  const [error, setError] = useState<CommandError | null>(null);
  const save = async (name: string | null) => {
    try {
      await call(commands.setOrganizationAlias(organization.id, name));
      onDone();
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(alias.trim() === "" ? null : alias.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <OrganizationBadge organization={organization} size="lg" />
        <bdi dir="ltr">{organization.domain}</bdi>
      </div>
      <TextField label={t("alias")} hint={t("alias-hint")} value={alias} onChange={setAlias} autoFocus />
      {error && <ErrorNotice error={error} variant="card" />}
      <div className="flex justify-end gap-2">
        {organization.aliased && (
          <Button variant="quiet" onPress={() => void save(null)}>
            {t("alias-remove")}
          </Button>
        )}
        <Button onPress={onDone}>{t("cancel")}</Button>
        <Button variant="primary" type="submit">
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
