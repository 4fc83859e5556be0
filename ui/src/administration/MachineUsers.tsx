/** Machine users and their personal access tokens. */

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, Plus } from "lucide-react";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { NameText } from "../components/BidiText";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { LoadingText } from "../components/LoadingText";
import { Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { MachineUserView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { roleName } from "../organizations/roles";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { machineUsersQuery } from "./administrationQueries";
import { ConfirmChange } from "./ConfirmChange";
import { FormDialog } from "./FormDialog";
import { PersonalTokens } from "./PersonalTokens";
import { RoleChips, StateWord } from "./RoleChips";
import { SecretDialog, type ShownValue } from "./SecretDialog";
import { useAdministration } from "./useAdministration";

const SUBJECT = "machineUsers";

/** What a machine user may be: administration is for people. */
const ROLES = ["viewer", "clerk", "accountant"] as const;

export function MachineUsers() {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  const [disabling, setDisabling] = useState<MachineUserView | null>(null);
  const [secrets, setSecrets] = useState<ShownValue[] | null>(null);
  const write = useAdministration(SUBJECT);
  const users = useQuery({
    ...machineUsersQuery(organization.id),
    staleTime: 0,
  });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-[min(15rem,100%)] flex-1 text-fg-2">{t("machines-hint")}</p>
        <Button variant="primary" onPress={() => setAdding(true)} icon={<Plus size={15} aria-hidden="true" />}>
          {t("machines-add")}
        </Button>
      </div>
      {write.error && <AdministrationError error={write.error} />}
      {users.error && <AdministrationError error={commandError(users.error)} onRetry={() => void users.refetch()} />}
      {users.isPending && <LoadingText />}
      {users.data && (
        <ul aria-label={t("administration-machines")} className="rounded-md border border-line-strong bg-surface">
          {users.data.length === 0 && <li className="px-3 py-4 text-fg-2">{t("machines-none")}</li>}
          {users.data.map((user) => (
            <li key={user.id} className="border-line border-b last:border-b-0">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
                <span className="min-w-44 flex-1">
                  <span className="block font-semibold">
                    <NameText>{user.name}</NameText>
                  </span>
                  <span className="block break-all text-fg-2 text-xs">
                    <bdi dir="ltr">{user.username}</bdi>
                  </span>
                </span>
                <RoleChips roles={user.roles} />
                <span className="text-xs">
                  <StateWord state={user.state} />
                </span>
                <Button
                  size="sm"
                  aria-label={t(user.state === "disabled" ? "machines-enable-of" : "machines-disable-of", { name: user.name })}
                  onPress={() => {
                    write.clearError();
                    if (user.state !== "disabled") setDisabling(user);
                    else void write.run((binding) => commands.changeUser(binding, user.id, { kind: "enable" }));
                  }}
                >
                  {t(user.state === "disabled" ? "people-enable" : "people-disable-open")}
                </Button>
                <AriaButton
                  aria-expanded={open === user.id}
                  aria-label={t("tokens-of", { name: user.name })}
                  onPress={() => setOpen(open === user.id ? null : user.id)}
                  className="inline-flex min-h-6 items-center gap-1 rounded-md px-1.5 text-fg-2 text-xs data-[hovered]:text-fg"
                >
                  {open === user.id ? (
                    <ChevronDown size={14} aria-hidden="true" />
                  ) : (
                    <ChevronRight size={14} aria-hidden="true" className="mirror-in-rtl" />
                  )}
                  {t("tokens")}
                </AriaButton>
              </div>
              {open === user.id && <PersonalTokens user={user} onSecret={setSecrets} />}
            </li>
          ))}
        </ul>
      )}
      {adding && <AddDialog onClose={() => setAdding(false)} onSecret={setSecrets} />}
      {disabling && (
        <ConfirmChange
          title={t("people-disable-title", { name: disabling.name })}
          hint={t("machines-disable-hint")}
          confirm={t("people-disable")}
          subject={SUBJECT}
          change={(run) => run((binding) => commands.changeUser(binding, disabling.id, { kind: "disable" }))}
          onClose={() => setDisabling(null)}
        />
      )}
      {secrets && (
        <SecretDialog title={t("secret-title")} hint={t("secret-hint")} values={secrets} onClose={() => setSecrets(null)} />
      )}
    </>
  );
}

function AddDialog({ onClose, onSecret }: { onClose: () => void; onSecret: (values: ShownValue[]) => void }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const write = useAdministration(SUBJECT);
  const [name, setName] = useState("");
  const [role, setRole] = useState<string>("clerk");
  const add = async () => {
    const created = await write.run((binding) => commands.createMachineUser(binding, name.trim(), role));
    if (!created) return;
    onClose();
    onSecret([
      { label: t("client-id"), value: created.clientId },
      { label: t("client-secret"), value: created.clientSecret },
    ]);
  };
  return (
    <FormDialog
      title={t("machines-add")}
      submit={t("machines-add")}
      typed={name !== ""}
      busy={write.busy}
      error={write.error}
      makesSecret
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <TextField label={t("machines-name")} hint={t("machines-name-hint")} value={name} onChange={setName} isRequired autoFocus />
      <Select
        label={t("invite-role")}
        value={role}
        onChange={setRole}
        choices={ROLES.map((id) => ({ id, label: roleName(id, localizer) }))}
      />
    </FormDialog>
  );
}
