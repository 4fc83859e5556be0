/** The tax authority of a tenant. Credentials are written, and never shown again (decision 0127). */

import { useState } from "react";
import { Button } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { TextField } from "../components/Field";
import { RadioChoices } from "../components/RadioChoices";
import { Select } from "../components/Select";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { AuthoritySettings, AuthorityTest, AuthorityView, CommandError, CredentialsChange } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useOpeningQuery } from "../queries/useOpeningQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AuthorityProblemText } from "../submissions/AuthorityProblemText";
import { FormDialog } from "./FormDialog";
import type { FormPart } from "./formMerge";
import { KindChoices } from "./KindChoices";
import { OpeningErrorDialog } from "./OpeningErrorDialog";
import { useAdministration } from "./useAdministration";
import { useMergedForm } from "./useMergedForm";

const SUBJECT = "authorities";
const NEW: AuthoritySettings = {
  adapter: "http",
  endpoint: "",
  mode: "clearance",
  kinds: ["invoice", "creditNote", "debitNote"],
  enabled: true,
};

function settingsOf(authority: AuthorityView | null): AuthoritySettings {
  return authority?.settings ?? NEW;
}

function partsOf({ t, format }: Localizer): FormPart<AuthoritySettings>[] {
  return [
    { label: t("authority-adapter"), words: ({ adapter }) => adapter, take: (form, { adapter }) => ({ ...form, adapter }) },
    { label: t("authority-endpoint"), words: ({ endpoint }) => endpoint, take: (form, { endpoint }) => ({ ...form, endpoint }) },
    { label: t("authority-mode"), words: ({ mode }) => t(`authority-${mode}`), take: (form, { mode }) => ({ ...form, mode }) },
    {
      label: t("authority-kinds"),
      words: ({ kinds }) => format.list(kinds.map((kind) => t(`kind-${kind}`))),
      take: (form, { kinds }) => ({ ...form, kinds }),
    },
    {
      label: t("authority-enabled"),
      words: ({ enabled }) => t(enabled ? "audit-value-yes" : "audit-value-no"),
      take: (form, { enabled }) => ({ ...form, enabled }),
    },
  ];
}

function untouchedCredentials(authority: AuthorityView | null): CredentialsChange {
  return authority?.hasCredentials ? { kind: "keep" } : { kind: "replace", username: "", secret: "" };
}

function areTyped(credentials: CredentialsChange): boolean {
  return credentials.kind === "replace" && (credentials.username !== "" || credentials.secret !== "");
}

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
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const write = useAdministration(SUBJECT);
  const merged = useMergedForm(read, settingsOf, partsOf(localizer));
  const { base: authority, form: settings } = merged;
  const [credentials, setCredentials] = useState(() => untouchedCredentials(authority));
  const [tested, setTested] = useState<AuthorityTest | null>(null);
  const change = (changed: Partial<AuthoritySettings>) => merged.setForm({ ...settings, ...changed });
  const replaces = credentials.kind === "replace";
  const hasTypedCredentials = areTyped(credentials);
  const typed = merged.isTyped || hasTypedCredentials || credentials.kind === "remove";
  const readTheirs = async ({ kind }: CommandError) => {
    // Somebody else has changed it, or given the tenant its first one.
    if (kind !== "aborted" && kind !== "alreadyExists") return false;
    const theirs = await withBinding(organization.id, (binding) => commands.getAuthority(binding, id));
    if (theirs === null) return false;
    merged.merge(theirs);
    setCredentials((chosen) =>
      areTyped(chosen) || (chosen.kind === "remove" && theirs.hasCredentials) ? chosen : untouchedCredentials(theirs),
    );
    setTested(null);
    return true;
  };
  const save = async () => {
    // Without a secret there is nothing to set.
    const wanted: CredentialsChange = replaces && credentials.secret === "" ? { kind: "keep" } : credentials;
    const saved = await write.run(
      (binding) => commands.saveAuthority(binding, id, authority?.stamp ?? null, settings, wanted),
      readTheirs,
    );
    if (saved && write.isShown.current) onClose();
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
      conflict={merged.conflict}
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
              {tested.problem && <AuthorityProblemText problem={tested.problem} />}
            </Notice>
          )}
        </div>
      )}
    </FormDialog>
  );
}
