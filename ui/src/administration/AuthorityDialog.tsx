/** The tax authority of a tenant. Credentials are written, and never shown again (decision 0127). */

import { useState } from "react";
import { Button } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { TextField } from "../components/Field";
import { RadioChoices } from "../components/RadioChoices";
import { Select } from "../components/Select";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AuthoritySettings, AuthorityTest, AuthorityView, CredentialsChange } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useOpeningQuery } from "../queries/useOpeningQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { FormDialog } from "./FormDialog";
import { KindChoices } from "./KindChoices";
import { OpeningErrorDialog } from "./OpeningErrorDialog";
import { useAdministration } from "./useAdministration";

const SUBJECT = "authorities";
const NEW: AuthoritySettings = {
  adapter: "http",
  endpoint: "",
  mode: "clearance",
  kinds: ["invoice", "creditNote", "debitNote"],
  enabled: true,
};

export function AuthorityDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const authority = useOpeningQuery([organization.id, SUBJECT, id], () =>
    withBinding(organization.id, (binding) => commands.getAuthority(binding, id)),
  );
  // A form that is open stays when it cannot be read again, with what is typed in it.
  if (authority.data !== undefined) return <AuthorityForm id={id} name={name} read={authority.data} onClose={onClose} />;
  return (
    authority.error && (
      <OpeningErrorDialog
        title={t("authority-title", { name })}
        error={commandError(authority.error)}
        onRetry={() => void authority.refetch()}
        onClose={onClose}
      />
    )
  );
}

function AuthorityForm({
  id,
  name,
  read,
  onClose,
}: {
  id: string;
  name: string;
  /** What the form begins with. */
  read: AuthorityView | null;
  onClose: () => void;
}) {
  const { t } = useLocalizer();
  const write = useAdministration(SUBJECT);
  // With the stamp of what was read later, the form would overwrite a change of somebody else that it has not shown.
  const [authority] = useState(read);
  const initial = authority?.settings ?? NEW;
  const [settings, setSettings] = useState(initial);
  const [credentials, setCredentials] = useState<CredentialsChange>(
    authority?.hasCredentials ? { kind: "keep" } : { kind: "replace", username: "", secret: "" },
  );
  const [tested, setTested] = useState<AuthorityTest | null>(null);
  const change = (changed: Partial<AuthoritySettings>) => setSettings({ ...settings, ...changed });
  const replaces = credentials.kind === "replace";
  const hasTypedCredentials = replaces && (credentials.username !== "" || credentials.secret !== "");
  const typed = JSON.stringify(settings) !== JSON.stringify(initial) || hasTypedCredentials || credentials.kind === "remove";
  const save = async () => {
    // Without a secret there is nothing to set.
    const wanted: CredentialsChange = replaces && credentials.secret === "" ? { kind: "keep" } : credentials;
    const saved = await write.run((binding) => commands.saveAuthority(binding, id, authority?.stamp ?? null, settings, wanted));
    if (saved) onClose();
  };
  const test = async () => {
    // The same result again is announced only if there was none between.
    setTested(null);
    setTested((await write.run((binding) => commands.testAuthority(binding, id))) ?? null);
  };
  return (
    <FormDialog
      title={t("authority-title", { name })}
      submit={t("tenant-save")}
      typed={typed}
      busy={write.busy}
      error={write.error}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {!authority && <p className="text-fg-2">{t("authority-none")}</p>}
      <div className="grid grid-cols-[8rem_1fr] gap-3 max-narrow:grid-cols-1">
        <TextField
          label={t("authority-adapter")}
          value={settings.adapter}
          onChange={(adapter) => change({ adapter: adapter.trim() })}
          isRequired
          dir="ltr"
        />
        <TextField
          label={t("authority-endpoint")}
          hint={t("authority-endpoint-hint")}
          value={settings.endpoint}
          onChange={(endpoint) => change({ endpoint: endpoint.trim() })}
          isRequired
          autoFocus
          dir="ltr"
        />
      </div>
      <Select
        label={t("authority-mode")}
        value={settings.mode}
        onChange={(mode) => change({ mode })}
        choices={(["clearance", "reporting"] as const).map((mode) => ({ id: mode, label: t(`authority-${mode}`) }))}
      />
      <fieldset className="flex flex-wrap gap-x-4">
        <legend className="text-fg-2 text-xs">{t("authority-kinds")}</legend>
        <KindChoices value={settings.kinds} onChange={(kinds) => change({ kinds })} />
      </fieldset>
      <div>
        <Checkbox isSelected={settings.enabled} onChange={(enabled) => change({ enabled })}>
          {t("authority-enabled")}
        </Checkbox>
        {!settings.enabled && <p className="text-fg-2 text-xs">{t("authority-disabled-hint")}</p>}
      </div>
      <p className="text-fg-2">
        {t(authority?.hasCredentials ? "authority-credentials-stored" : "authority-credentials-missing")}
      </p>
      {authority?.hasCredentials && (
        <RadioChoices
          label={t("authority-credentials")}
          value={credentials.kind}
          onChange={(kind) => setCredentials(kind === "replace" ? { kind, username: "", secret: "" } : { kind })}
          choices={(["keep", "replace", "remove"] as const).map((kind) => ({
            id: kind,
            label: t(`authority-credentials-${kind}`),
          }))}
        />
      )}
      {replaces && (
        <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
          <TextField
            label={t("authority-username")}
            hint={t("authority-username-hint")}
            value={credentials.username}
            onChange={(username) => setCredentials({ ...credentials, username })}
            dir="ltr"
          />
          <TextField
            label={t("authority-secret")}
            type="password"
            value={credentials.secret}
            // A user name alone would change nothing, and credentials that are to be replaced would stay.
            isRequired={hasTypedCredentials || authority?.hasCredentials === true}
            onChange={(secret) => setCredentials({ ...credentials, secret })}
            inputProps={{ autoComplete: "off" }}
            dir="ltr"
          />
        </div>
      )}
      {authority && !typed && (
        <div className="flex flex-col items-start gap-2">
          <Button size="sm" isBusy={write.busy} onPress={() => void test()}>
            {t("authority-test")}
          </Button>
          {tested && (
            <Notice
              severity={tested.reachable ? "info" : "warning"}
              variant="inline"
              text={
                tested.reachable ? t("authority-reachable", { status: String(tested.httpStatus) }) : t("authority-unreachable")
              }
            >
              {!tested.reachable && (
                <span lang="en" dir="ltr">
                  {tested.problem}
                </span>
              )}
            </Notice>
          )}
        </div>
      )}
    </FormDialog>
  );
}
