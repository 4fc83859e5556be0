/** Invites a person. The code of the invitation is handed over by whoever invites. */

import { useState } from "react";
import { TextField } from "../components/Field";
import { Select } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PasswordCodeView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { roleName } from "../organizations/roles";
import { useWorkspace } from "../state/workspace";
import { FormDialog } from "./FormDialog";
import { useAdministration } from "./useAdministration";

/** What most people are invited as. */
const USUAL_ROLE = "clerk";

export function InviteDialog({
  roles,
  onInvited,
  onClose,
}: {
  /** The roles that the person may grant: at least one. */
  roles: readonly string[];
  onInvited: (username: string, code: PasswordCodeView) => void;
  onClose: () => void;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const write = useAdministration("people");
  const [username, setUsername] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState(roles.includes(USUAL_ROLE) ? USUAL_ROLE : (roles[0] ?? ""));
  const invite = async () => {
    const wanted = username.trim().toLowerCase();
    const email = wanted.includes("@") ? wanted : "";
    const code = await write.run((binding) => commands.inviteUser(binding, { username: wanted, name: name.trim(), email, role }));
    if (code) onInvited(wanted, code);
  };
  return (
    <FormDialog
      title={t("invite-title", { organization: organization.name })}
      submit={t("people-invite")}
      typed={username !== "" || name !== ""}
      busy={write.busy}
      error={write.error}
      makesSecret
      onSubmit={() => void invite()}
      onClose={onClose}
    >
      <TextField label={t("people-name")} value={name} onChange={setName} isRequired autoFocus />
      <TextField
        label={t("people-username")}
        hint={t("invite-username-hint")}
        value={username}
        onChange={setUsername}
        isRequired
        dir="ltr"
      />
      <Select
        label={t("invite-role")}
        value={role}
        onChange={setRole}
        choices={roles.map((id) => ({ id, label: roleName(id, localizer) }))}
      />
      <p className="text-fg-2 text-xs">{t("invite-hint")}</p>
    </FormDialog>
  );
}
