/** Removes an account from this computer, after a confirmation that counts its drafts. */

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../components/Button";
import { Modal } from "../components/Modal";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AccountView, CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export function RemoveAccount({ account, onRemoved }: { account: AccountView; onRemoved: () => void }) {
  const { t } = useLocalizer();
  const [drafts, setDrafts] = useState<number | null>(null);
  const [changed, setChanged] = useState(false);
  const [error, setError] = useState<CommandError | null>(null);
  const count = async () => {
    try {
      setDrafts(await call(commands.accountDrafts(account.id)));
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  const open = () => {
    setError(null);
    setChanged(false);
    void count();
  };
  const remove = async (agreed: number) => {
    setError(null);
    try {
      if (await call(commands.purgeAccount(account.id, agreed))) {
        setDrafts(null);
        onRemoved();
      } else {
        setChanged(true);
        await count();
      }
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  return (
    <>
      <IconButton
        label={t("account-remove", { name: account.name })}
        icon={<Trash2 size={14} aria-hidden="true" />}
        onPress={open}
      />
      {error && drafts === null && <ErrorNotice error={error} variant="inline" />}
      {drafts !== null && (
        <Modal
          title={t("account-remove-title", { name: account.name })}
          role="alertdialog"
          isOpen
          onClose={() => setDrafts(null)}
          actions={
            <>
              <Button autoFocus onPress={() => setDrafts(null)}>
                {t("account-keep")}
              </Button>
              <Button variant="danger" onPress={() => void remove(drafts)}>
                {t("account-remove-confirm", { count: drafts })}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-3">
            {changed && <p role="status">{t("account-remove-changed")}</p>}
            <p className={drafts > 0 ? "font-semibold" : ""}>{t("account-remove-drafts", { count: drafts })}</p>
            <p className="text-fg-2">{t("account-remove-hint")}</p>
            {error && <ErrorNotice error={error} variant="card" />}
          </div>
        </Modal>
      )}
    </>
  );
}
