/** The personal access tokens of a machine user. */

import { useState } from "react";
import { NameText } from "../components/BidiText";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { Select } from "../components/Select";
import { usePagedList } from "../components/usePagedList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { MachineUserView, PersonalTokenView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { ConfirmChange } from "./ConfirmChange";
import { FormDialog } from "./FormDialog";
import type { ShownValue } from "./SecretDialog";
import { useAdministration } from "./useAdministration";

const SUBJECT = "personalTokens";
const DAYS = ["30", "90", "180", "366"] as const;

export function PersonalTokens({ user, onSecret }: { user: MachineUserView; onSecret: (values: ShownValue[]) => void }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [minting, setMinting] = useState(false);
  const [revoking, setRevoking] = useState<PersonalTokenView | null>(null);
  const { query, rows, end } = usePagedList(
    [organization.id, SUBJECT, user.id],
    (page) => withBinding(organization.id, (binding) => commands.listPersonalTokens(binding, user.id, page)),
    ({ tokens }) => tokens,
  );
  return (
    <section
      aria-label={t("tokens-of", { name: user.name })}
      className="flex flex-col gap-2 border-line border-t bg-canvas px-3 py-3"
    >
      {query.error && <AdministrationError error={commandError(query.error)} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && <p className="text-fg-2">{t("tokens-none")}</p>}
      {rows && rows.length > 0 && (
        <ul>
          {rows.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
      )}
      {end}
      <div>
        <Button size="sm" onPress={() => setMinting(true)}>
          {t("tokens-mint")}
        </Button>
      </div>
      {minting && <MintDialog user={user} onClose={() => setMinting(false)} onSecret={onSecret} />}
      {revoking && (
        <ConfirmChange
          title={t("tokens-revoke-title", { name: revoking.name })}
          hint={t("tokens-revoke-hint")}
          confirm={t("tokens-revoke")}
          subject={SUBJECT}
          change={(run) => run((binding) => commands.revokePersonalToken(binding, user.id, revoking.id))}
          onClose={() => setRevoking(null)}
        />
      )}
    </section>
  );
}

function TokenRow({ token, onRevoke }: { token: PersonalTokenView; onRevoke: () => void }) {
  const { t, format } = useLocalizer();
  const expired = Date.parse(token.expires) < Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 border-line border-b py-1.5 last:border-b-0">
      <span className="min-w-36 flex-1">
        <NameText>{token.name}</NameText>
      </span>
      <span className="text-fg-2 text-xs">
        {token.revoked
          ? t("tokens-revoked", { time: format.dateTime(token.revoked) })
          : t(expired ? "tokens-expired" : "tokens-expires", { time: format.dateTime(token.expires) })}
      </span>
      {!token.revoked && !expired && (
        <Button size="sm" aria-label={t("tokens-revoke-of", { name: token.name })} onPress={onRevoke}>
          {t("tokens-revoke")}
        </Button>
      )}
    </li>
  );
}

function MintDialog({
  user,
  onClose,
  onSecret,
}: {
  user: MachineUserView;
  onClose: () => void;
  onSecret: (values: ShownValue[]) => void;
}) {
  const { t } = useLocalizer();
  const write = useAdministration(SUBJECT);
  const [name, setName] = useState("");
  const [days, setDays] = useState<(typeof DAYS)[number]>("90");
  const mint = async () => {
    const minted = await write.run((binding) => commands.mintPersonalToken(binding, user.id, name.trim(), Number(days)));
    if (!minted) return;
    onClose();
    onSecret([{ label: t("tokens-token", { name: minted.token.name }), value: minted.secret }]);
  };
  return (
    <FormDialog
      title={t("tokens-mint-title", { name: user.name })}
      submit={t("tokens-mint")}
      typed={name !== ""}
      busy={write.busy}
      error={write.error}
      makesSecret
      onSubmit={() => void mint()}
      onClose={onClose}
    >
      <TextField label={t("tokens-name")} value={name} onChange={setName} isRequired autoFocus />
      <Select
        label={t("tokens-days")}
        value={days}
        onChange={setDays}
        choices={DAYS.map((id) => ({ id, label: t("tokens-days-count", { count: Number(id) }) }))}
      />
    </FormDialog>
  );
}
